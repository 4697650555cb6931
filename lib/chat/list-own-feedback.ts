import type { Ctx } from '../platform/context';
import { requireSession } from './policy';
import { findFeedbackBy } from './store/feedback';
import { findSharesBy } from './store/shares';

/**
 * What a person thinks of answers, with their notes, for their export.
 * @throws {ParleyError} `unauthenticated`, `forbidden`
 */
export async function listOwnFeedback({ ctx }: { ctx: Ctx }): Promise<object[]> {
  return findFeedbackBy(requireSession(ctx.actor).userId);
}

/**
 * The links to conversations that a person made, for their export; also those that moderation took down.
 * @throws {ParleyError} `unauthenticated`, `forbidden`
 */
export async function listOwnShares({ ctx }: { ctx: Ctx }): Promise<object[]> {
  return findSharesBy(requireSession(ctx.actor).userId);
}
