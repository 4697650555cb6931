import { findSessionActor } from '../identity';
import type { AccessScope, Actor } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { findAccessTokenActor } from '../tokens';
import { bearerOf, isCrossOrigin, requireSameOrigin, sessionCookieFromHeader, sessionCookieOf } from './request';

/**
 * Who sends this request to our own API: a personal access token when a bearer is given (cookies are then ignored), else
 * the session of the cookie, else nobody.
 * @throws {ParleyError} `invalid_token`; `origin_required` for a write by cookie from elsewhere
 */
export async function actorOf(request: Request, now: Date): Promise<Actor> {
  const bearer = bearerOf(request);
  if (bearer !== null) {
    const actor = await findAccessTokenActor(bearer, now);
    if (actor) return actor;
    throw new ParleyError(
      'invalid_token',
      'The access token is unknown, expired or revoked. Create one in your settings.',
    );
  }
  const cookie = sessionCookieOf(request);
  if (cookie === null) return { kind: 'anonymous' };
  if (request.method !== 'GET' && request.method !== 'HEAD') requireSameOrigin(request);
  // A page of another origin reads as everybody does: what it may call takes bearer tokens alone.
  else if (isCrossOrigin(request)) return { kind: 'anonymous' };
  return (await findSessionActor(cookie, now)) ?? { kind: 'anonymous' };
}

/** Who looks at a page, by the `Cookie` header of their browser. */
export async function viewerOf(cookies: string | undefined): Promise<Actor> {
  const cookie = sessionCookieFromHeader(cookies ?? '');
  return (cookie && (await findSessionActor(cookie, new Date()))) || { kind: 'anonymous' };
}

/** Everybody; a person by any credential; a person by session alone; a person by a credential with the scope. */
export type AuthRule = 'anyone' | 'user' | 'session' | { scope: AccessScope };

/**
 * Holds the actor against what an endpoint asks for.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export function requireActor(actor: Actor, rule: AuthRule): void {
  if (rule === 'anyone') return;
  if (actor.kind !== 'user')
    throw new ParleyError('unauthenticated', 'Sign in, or send a personal access token as bearer.');
  if (rule === 'user' || actor.credential.kind === 'session') return;
  if (rule === 'session') {
    throw new ParleyError('forbidden', 'This needs a signed-in session; access tokens cannot do it.');
  }
  if (!actor.credential.scopes.includes(rule.scope)) {
    throw new ParleyError('insufficient_scope', `The access token lacks the scope "${rule.scope}".`, {
      data: { scope: rule.scope },
    });
  }
}
