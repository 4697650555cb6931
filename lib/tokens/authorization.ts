import { type AgentRecord, isOpen, isOpenToGuests, roleOfPerson } from '../catalog';
import { isCallable } from '../catalog/schema';
import type { Actor, AppActor, PublicClientActor } from '../platform/context';
import { OAuthError } from '../protocol/oauth/authorization-server';

/**
 * Requires that the client is the command line, the only client that signs devices in.
 * @throws {OAuthError} `unauthorized_client`
 */
export function requireDeviceClient(actor: Actor): PublicClientActor {
  if (actor.kind === 'public-client' && actor.clientId === 'parley-cli') return actor;
  throw new OAuthError('unauthorized_client', 'Only the client parley-cli can use the device flow.');
}

/**
 * Returns the app that authenticated with its client secret.
 * @throws {OAuthError} `unauthorized_client`
 */
export function requireApp(actor: Actor): AppActor {
  if (actor.kind === 'app') return actor;
  throw new OAuthError('unauthorized_client', 'This requires the client ID and the client secret of an app.');
}

/**
 * Returns the scopes of a request (RFC 6749 §3.3) without duplicates, or all of `allowed` if the request contains none.
 * @throws {OAuthError} `invalid_scope` for a scope that is not allowed
 */
export function readScopes<Scope extends string>(text: string | undefined, allowed: readonly Scope[]): Scope[] {
  const names = [...new Set((text ?? '').split(' ').filter(Boolean))];
  if (names.length === 0) return [...allowed];
  const known = allowed.filter((scope) => names.includes(scope));
  if (known.length === names.length) return known;
  throw new OAuthError('invalid_scope', `Expected scopes among: ${allowed.join(' ')}.`);
}

/**
 * Returns true for text in the format of our ids. Other text needs no query, and PostgreSQL rejects some of it (NUL).
 */
export function isOwnId(text: string): boolean {
  return /^[a-z]{3}_[0-9a-z]{20}$/.test(text);
}

/**
 * Returns true if a principal may request and use tokens for an agent: anyone with an account if it is active; only the
 * team if it is private; guests if its owner permits them; payers without an account
 * if it is open to everyone.
 */
export function mayCall(userId: string, agent: AgentRecord): boolean {
  if (userId.startsWith('gst_')) return isOpenToGuests(agent);
  if (userId.startsWith('pyr_')) return isOpen(agent);
  if (!isCallable(agent.status)) return false;
  return agent.visibility !== 'private' || roleOfPerson(userId, agent) !== null;
}

/** Returns true for the agent's app and for members of its team who may edit it. */
export function mayServe(principal: string, agent: AgentRecord): boolean {
  if (agent.appId === principal) return true;
  const role = roleOfPerson(principal, agent);
  return role === 'owner' || role === 'developer';
}
