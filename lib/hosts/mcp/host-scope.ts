import { authorize } from '../../identity';
import type { Actor, UserActor } from '../../platform/context';

/** What a tool does for its user, as a scope of connected apps. */
export type HostScope = 'agents:read' | 'agents:call' | 'tasks:read';

/**
 * The user, if their credential has the scope. An access token with `handshake` has all of them.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export function requireHostScope(actor: Actor, _scope: HostScope): UserActor {
  return authorize(actor, { scope: 'handshake' });
}
