import type { TokenBucketRule } from '../limits';
import type { Ctx, UserActor } from '../platform/context';
import { ParleyError } from '../platform/errors';

/** Exports of one person: each reads everything there is of them. */
export const EXPORT_LIMIT: TokenBucketRule = {
  name: 'exports of this account',
  burst: 5,
  perMinute: 0.2,
  onDatabaseDown: 'refuse',
};

/**
 * The person in their own browser. What concerns the whole account is not for access tokens.
 * @throws {ParleyError} `unauthenticated`, `forbidden`
 */
export function requireSession({ actor }: Ctx): UserActor {
  if (actor.kind !== 'user') throw new ParleyError('unauthenticated', 'Sign in to see and change your account.');
  if (actor.credential.kind === 'session') return actor;
  throw new ParleyError('forbidden', 'This needs a signed-in session; access tokens cannot do it.');
}
