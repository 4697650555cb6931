import type { AccessScope, Actor, UserActor } from '../platform/context';
import { ParleyError } from '../platform/errors';

/**
 * The person who may pay: by their session, or by an access token that they gave the scope `pay`. An agent's token never.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export function requirePayer(actor: Actor): UserActor {
  return requirePerson(actor, 'pay');
}

/**
 * The person who sells, when their credential reaches that far.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export function requireSeller(actor: Actor, scope: 'agents:read' | 'agents:write'): UserActor {
  return requirePerson(actor, scope);
}

function requirePerson(actor: Actor, scope: AccessScope): UserActor {
  if (actor.kind !== 'user') {
    throw new ParleyError('unauthenticated', 'Sign in, or send a personal access token as bearer.');
  }
  if (actor.credential.kind === 'session' || actor.credential.scopes.includes(scope)) return actor;
  throw new ParleyError('insufficient_scope', `The access token lacks the scope "${scope}".`, { data: { scope } });
}
