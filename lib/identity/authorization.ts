import type { Actor, Ctx, GuestActor, UserActor } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { env } from '../platform/runtime/env';
import { type AccessScope, HOST_SCOPES, type HostScope } from '../platform/scopes';
import { FRESH_AUTH_MS } from './limits';
import { selectSession } from './store/session-rows';
import { selectLocalAccount } from './store/users';

/**
 * The credential that an operation requires: any credential; one with the scope, which every session has; or a session.
 * `account` also requires a session, but treats a caller with an access token as signed out. Connected apps are hosts:
 * only `host` permits them, with any of their scopes.
 */
export type UserRule = 'user' | { scope: AccessScope } | 'host' | { hostScope: HostScope } | 'session' | 'account';

/**
 * Returns the user if the rule permits them. Endpoints declare a rule, and the functions that they call check it again.
 * @throws {ParleyError} `unauthenticated` without a user, and for `account` also with an access token; `forbidden` for
 * an access token where a session is required; `insufficient_scope`; `invalid_token` for a connected app, except where
 * a host's scope is required
 */
export function authorize(actor: Actor, rule: UserRule): UserActor {
  const isSession = actor.kind === 'user' && actor.credential.kind === 'session';
  if (rule === 'account' && !isSession) {
    throw new ParleyError('unauthenticated', 'Sign in to view and change your account.');
  }
  if (rule === 'host') return authorizeHost(actor, null);
  if (typeof rule === 'object' && 'hostScope' in rule) return authorizeHost(actor, rule.hostScope);
  if (actor.kind !== 'user') {
    throw new ParleyError('unauthenticated', 'Sign in, or send an access token as a bearer token.');
  }
  if (actor.credential.kind === 'connection') {
    throw new ParleyError('invalid_token', 'The token of a connected app is valid only at the resource it is for.');
  }
  if (rule === 'session' && !isSession) {
    throw new ParleyError('forbidden', 'This requires a signed-in session. Access tokens are not accepted.');
  }
  if (typeof rule === 'object' && !hasScope(actor, rule.scope)) throw missingScope(rule.scope, rule.scope);
  return actor;
}

/**
 * Returns the user of a session, or a guest, for operations of the chat that need no account.
 * @throws {ParleyError} `unauthenticated` if there is neither; `forbidden` for an access token
 */
export function authorizeChat(actor: Actor): UserActor | GuestActor {
  return actor.kind === 'guest' ? actor : authorize(actor, 'session');
}

/**
 * Returns the user if the credential permits operations of a host. Access tokens existed before connected apps:
 * `handshake` permits all of these operations.
 */
function authorizeHost(actor: Actor, scope: HostScope | null): UserActor {
  if (actor.kind !== 'user') {
    const text = 'Sign in through your app, or send an access token with the scope "handshake" as a bearer token.';
    throw new ParleyError('unauthenticated', text, { data: { scope: HOST_SCOPES.join(' ') } });
  }
  const { credential } = actor;
  if (credential.kind !== 'connection') return authorize(actor, { scope: 'handshake' });
  const { scopes } = credential;
  if (scope === null || scopes.includes(scope)) return actor;
  // Includes the scopes that the app already has, so that it keeps them after the next sign-in.
  const needed = HOST_SCOPES.filter((known) => known === scope || scopes.includes(known));
  throw missingScope(scope, needed.join(' '));
}

function missingScope(missing: string, scope: string): ParleyError {
  return new ParleyError('insufficient_scope', `The access token lacks the scope "${missing}".`, { data: { scope } });
}

/** Returns true if the credential has the scope. A session has every scope. */
export function hasScope({ credential }: UserActor, scope: AccessScope): boolean {
  return credential.kind === 'session' || credential.scopes.some((granted) => granted === scope);
}

/**
 * Returns true if the user of the session signed in within the last 15 minutes; false for access tokens. Does not use a
 * cache.
 */
export async function isRecentlyAuthenticated({ ctx }: { ctx: Ctx }): Promise<boolean> {
  const { actor, now } = ctx;
  if (actor.kind !== 'user' || actor.credential.kind !== 'session') return false;
  const session = await selectSession(actor.credential.id);
  return session !== null && now.getTime() - session.signedInAt.getTime() < FRESH_AUTH_MS;
}

/**
 * Returns the user of the session if they signed in within the last 15 minutes.
 * @throws {ParleyError} `unauthenticated` without a session; `sign_in_again`
 */
export async function requireFreshAuth({ ctx }: { ctx: Ctx }): Promise<{ userId: string; email: string }> {
  const { userId, email } = authorize(ctx.actor, 'account');
  if (await isRecentlyAuthenticated({ ctx })) return { userId, email };
  throw new ParleyError('sign_in_again', 'This requires a sign-in from the last 15 minutes. Sign in again.');
}

/** Returns true for a session of an account listed in `ADMIN_EMAILS`. Access tokens do not permit moderation. */
export function isAdmin(actor: Actor): boolean {
  return (
    actor.kind === 'user' &&
    actor.credential.kind === 'session' &&
    env().ADMIN_EMAILS.includes(actor.email.toLowerCase())
  );
}

/**
 * Returns the moderator, who must have signed in within the last 15 minutes. An account whose email address is a
 * moderator's but unverified is not a moderator.
 * @throws {ParleyError} `not_found` for everyone else; `sign_in_again` if the sign-in is too old
 */
export async function requireAdmin({ ctx }: { ctx: Ctx }): Promise<{ userId: string; email: string }> {
  if (!isAdmin(ctx.actor) || !(await hasVerifiedEmail(ctx.actor))) {
    throw new ParleyError('not_found', 'Nothing found at this URL. Check the path.');
  }
  return requireFreshAuth({ ctx });
}

async function hasVerifiedEmail(actor: Actor): Promise<boolean> {
  if (actor.kind !== 'user') return false;
  const account = await selectLocalAccount(actor.email);
  return account?.userId === actor.userId && account.isEmailVerified;
}
