import type { FixedWindowRule, TokenBucketRule } from '../limits';
import type { Actor, UserActor } from '../platform/context';
import { ParleyError } from '../platform/errors';
import type { CaseState, Decision } from './schema';

/** Reports by people who are not signed in, from one address. */
export const ANONYMOUS_REPORT_LIMIT: FixedWindowRule = {
  name: 'reports from this address',
  max: 5,
  windowSeconds: 3_600,
};
export const REPORT_LIMIT: TokenBucketRule = { name: 'reports', burst: 20, perMinute: 1, onDatabaseDown: 'refuse' };

const transitions: Record<Decision, { from: CaseState[]; to: CaseState }> = {
  dismiss: { from: ['open'], to: 'dismissed' },
  remove: { from: ['open'], to: 'removed' },
  // A moderator may take a mistake back at any time; nobody has to appeal for that.
  restore: { from: ['removed', 'appealed', 'upheld'], to: 'restored' },
  uphold: { from: ['appealed'], to: 'upheld' },
};

/** From which states a decision is made, and to which state it leads. */
export function transitionOf(decision: Decision): { from: CaseState[]; to: CaseState } {
  return transitions[decision];
}

/**
 * The person in their own browser.
 * @throws {ParleyError} `unauthenticated`, `forbidden`
 */
export function requireSession(actor: Actor): UserActor {
  if (actor.kind !== 'user') throw new ParleyError('unauthenticated', 'Sign in to see this.');
  if (actor.credential.kind === 'session') return actor;
  throw new ParleyError('forbidden', 'This needs a signed-in session; access tokens cannot do it.');
}
