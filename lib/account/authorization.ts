import type { Ctx, UserActor } from '../platform/context';
import { ParleyError } from '../platform/errors';

/**
 * The user of a browser session. Access tokens cannot act on the whole account.
 * @throws {ParleyError} `unauthenticated`, `forbidden`
 */
export function requireSession({ actor }: Ctx): UserActor {
  if (actor.kind !== 'user') throw new ParleyError('unauthenticated', 'Sign in to see and change your account.');
  if (actor.credential.kind === 'session') return actor;
  throw new ParleyError('forbidden', 'This needs a signed-in session; access tokens cannot do it.');
}
