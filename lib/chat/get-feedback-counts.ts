import { findAgent, requireRole } from '../catalog';
import type { Ctx } from '../platform/context';
import { requireSession } from './policy';
import type { FeedbackCounts } from './schema';
import { countFeedback } from './store/feedback';

const days = 90;
const maxNotes = 50;

/**
 * What people thought of the answers of an agent in the last 90 days, for those who manage it.
 * @throws {ParleyError} `unauthenticated`, `forbidden`; `not_found`, `gone` for what is not the person's
 */
export async function getFeedbackCounts({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { slug: string };
}): Promise<FeedbackCounts> {
  const person = requireSession(ctx.actor);
  const agent = requireRole(person, await findAgent(input.slug), 'viewer');
  const since = new Date(ctx.now.getTime() - days * 86_400_000);
  return { ...(await countFeedback(agent.id, since, maxNotes)), since: since.toISOString() };
}
