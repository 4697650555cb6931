import type { Actor, Ctx, UserActor } from '../platform/context';
import { env } from '../platform/env';
import { ParleyError } from '../platform/errors';
import type { AccessScope } from '../platform/scopes';
import { FRESH_AUTH_MS } from './limits';
import { findSessionById } from './session-cache';
import { selectLocalAccount } from './store/users';

/**
 * The authenticated user, with any credential.
 * @throws {ParleyError} `unauthenticated`
 */
export function requireUser(actor: Actor): UserActor {
  if (actor.kind !== 'user')
    throw new ParleyError('unauthenticated', 'Sign in, or send a personal access token as bearer.');
  return actor;
}

/**
 * The user of a browser session. Access tokens and apps may not manage accounts.
 * @throws {ParleyError} `unauthenticated`
 */
export function requireSession(actor: Actor): { userId: string; sessionId: string; email: string } {
  if (actor.kind !== 'user' || actor.credential.kind !== 'session') {
    throw new ParleyError('unauthenticated', 'Sign in to see and change your account.');
  }
  return { userId: actor.userId, sessionId: actor.credential.id, email: actor.email };
}

/**
 * The user of a browser session, for features that access tokens may not use. `signInText` is the error text for visitors.
 * @throws {ParleyError} `unauthenticated`, `forbidden`
 */
export function requireSessionUser(actor: Actor, signInText: string): UserActor {
  if (actor.kind !== 'user') throw new ParleyError('unauthenticated', signInText);
  if (actor.credential.kind === 'session') return actor;
  throw new ParleyError('forbidden', 'This needs a signed-in session; access tokens cannot do it.');
}

/**
 * The user, if their credential has the scope. A session has every scope.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export function requireScope(actor: Actor, scope: AccessScope): UserActor {
  const user = requireUser(actor);
  if (hasScope(user, scope)) return user;
  throw new ParleyError('insufficient_scope', `The access token lacks the scope "${scope}".`, { data: { scope } });
}

/** True when the credential has the scope. A session has every scope. */
export function hasScope({ credential }: UserActor, scope: AccessScope): boolean {
  return credential.kind === 'session' || credential.scopes.includes(scope);
}

/** True when the user of the session signed in within the last 15 minutes; false for access tokens. */
export async function isRecentlyAuthenticated({ ctx }: { ctx: Ctx }): Promise<boolean> {
  const { actor, now } = ctx;
  if (actor.kind !== 'user' || actor.credential.kind !== 'session') return false;
  const session = await findSessionById(actor.credential.id, now);
  return session !== null && now.getTime() - session.signedInAt.getTime() < FRESH_AUTH_MS;
}

/**
 * The user of the session, if they signed in within the last 15 minutes.
 * @throws {ParleyError} `unauthenticated` without a session; `sign_in_again`
 */
export async function requireFreshAuth({ ctx }: { ctx: Ctx }): Promise<{ userId: string; email: string }> {
  const { userId, email } = requireSession(ctx.actor);
  if (await isRecentlyAuthenticated({ ctx })) return { userId, email };
  throw new ParleyError('sign_in_again', 'Your sign-in is more than 15 minutes ago. Sign in again to do this.');
}

/** True for a session of an account listed in `ADMIN_EMAILS`; access tokens cannot moderate. */
export function isAdmin(actor: Actor): boolean {
  return (
    actor.kind === 'user' &&
    actor.credential.kind === 'session' &&
    env().ADMIN_EMAILS.includes(actor.email.toLowerCase())
  );
}

/**
 * The moderator, signed in within the last 15 minutes. An account with a moderator's e-mail address that is not
 * verified is not one.
 * @throws {ParleyError} `not_found` for everyone else; `sign_in_again` when the sign-in is too old
 */
export async function requireAdmin({ ctx }: { ctx: Ctx }): Promise<{ userId: string; email: string }> {
  if (!isAdmin(ctx.actor) || !(await hasVerifiedEmail(ctx.actor))) {
    throw new ParleyError('not_found', 'There is nothing at this address.');
  }
  return requireFreshAuth({ ctx });
}

async function hasVerifiedEmail(actor: Actor): Promise<boolean> {
  if (actor.kind !== 'user') return false;
  const account = await selectLocalAccount(actor.email);
  return account?.userId === actor.userId && account.isEmailVerified;
}
