import type { AccessScope, Actor, UserActor } from '../platform/context';
import { ParleyError } from '../platform/errors';

/**
 * The person who may pay: by their session, or by an access token that they gave the scope `pay`. An agent's token never.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export function requirePayer(actor: Actor): UserActor {
  return requireUser(actor, 'pay');
}

/**
 * The person who sells, when their credential reaches that far.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export function requireSeller(actor: Actor, scope: 'agents:read' | 'agents:write'): UserActor {
  return requireUser(actor, scope);
}

function requireUser(actor: Actor, scope: AccessScope): UserActor {
  if (actor.kind !== 'user') {
    throw new ParleyError('unauthenticated', 'Sign in, or send a personal access token as bearer.');
  }
  if (actor.credential.kind === 'session' || actor.credential.scopes.includes(scope)) return actor;
  throw new ParleyError('insufficient_scope', `The access token lacks the scope "${scope}".`, { data: { scope } });
}

/**
 * How much of an order is to be given back: `amount`, or all that is left.
 * @throws {ParleyError} `conflict` when it is more than there is
 */
export function refundable(
  { captured, refunded, currency }: { captured: number; refunded: number; currency: string },
  amount: number = captured - refunded,
): number {
  const left = captured - refunded;
  if (amount > 0 && amount <= left) return amount;
  const found = `At most ${left} minor units of ${currency} of this order can be given back; found ${amount}.`;
  throw new ParleyError('conflict', found, { data: { refundable: left } });
}
