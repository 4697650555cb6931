import type { Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { requireSession } from './policy';
import { findSessionById } from './session-cache';

/** How long a sign-in counts as recent (CLK-1), milliseconds. */
const freshAuthMs = 15 * 60_000;

/** True when the person of the session signed in within the last 15 minutes. Access tokens never did. */
export async function isRecentlyAuthenticated({ ctx }: { ctx: Ctx }): Promise<boolean> {
  const { actor, now } = ctx;
  if (actor.kind !== 'user' || actor.credential.kind !== 'session') return false;
  const session = await findSessionById(actor.credential.id, now);
  return session !== null && now.getTime() - session.signedInAt.getTime() < freshAuthMs;
}

/**
 * The person of the session, who must have signed in lately.
 * @throws {ParleyError} `unauthenticated` without a session; `sign_in_again` when it is too long ago
 */
export async function requireFreshAuth({ ctx }: { ctx: Ctx }): Promise<{ userId: string; email: string }> {
  const { userId, email } = requireSession(ctx.actor);
  if (await isRecentlyAuthenticated({ ctx })) return { userId, email };
  throw new ParleyError('sign_in_again', 'Your sign-in is more than 15 minutes ago. Sign in again to do this.');
}
