import { requireSessionUser } from '../identity';
import type { Ctx, UserActor } from '../platform/context';

/**
 * The user of a browser session. Access tokens cannot act on the whole account.
 * @throws {ParleyError} `unauthenticated`, `forbidden`
 */
export function requireSession({ actor }: Ctx): UserActor {
  return requireSessionUser(actor, 'Sign in to see and change your account.');
}
