import type { Ctx } from '../platform/context';
import { sessionNotFound } from './errors';
import { requireSession } from './policy';
import { type ProfileRecord, selectProfile } from './store/users';

/**
 * What is kept of the person who asks.
 * @throws {ParleyError} `unauthenticated`; `not_found` when the account is gone a moment ago
 */
export async function getProfile({ ctx }: { ctx: Ctx }): Promise<ProfileRecord> {
  const profile = await selectProfile(requireSession(ctx.actor).userId);
  if (!profile) throw sessionNotFound();
  return profile;
}
