import { findSessionActor } from '../identity';
import type { Actor } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { HOST_SCOPES } from '../platform/scopes';
import { findAccessTokenActor, findHostActor } from '../tokens';
import { bearerOf, isCrossOrigin, requireSameOrigin, sessionCookieFromHeader, sessionCookieOf } from './credentials';
import type { HandlerSpec, HttpRequest } from './handler';
import { resourceOf } from './resource';

/**
 * The caller of our own API: by personal access token if a bearer token is sent (cookies are then ignored), otherwise
 * by session cookie, otherwise anonymous.
 * @throws {ParleyError} `invalid_token`; `origin_required` for a cross-origin write by cookie
 */
export async function actorOf(request: HttpRequest, now: Date): Promise<Actor> {
  const bearer = bearerOf(request);
  if (bearer !== null) {
    const actor = await findAccessTokenActor(bearer, now);
    if (actor) return actor;
    throw new ParleyError(
      'invalid_token',
      'The access token is unknown, expired or revoked. Create a new one in your settings.',
    );
  }
  const cookie = sessionCookieOf(request);
  if (cookie === null) return { kind: 'anonymous' };
  if (request.method !== 'GET' && request.method !== 'HEAD') requireSameOrigin(request);
  // Cross-origin pages count as anonymous: the endpoints that are open to them accept bearer tokens only.
  else if (isCrossOrigin(request)) return { kind: 'anonymous' };
  return (await findSessionActor(cookie, now)) ?? { kind: 'anonymous' };
}

/**
 * The caller of an endpoint for hosts: as {@link actorOf}, or by the token of an app that is connected to this URL.
 * @throws {ParleyError} as {@link actorOf}; `invalid_token` has the scopes that an app should request
 */
export async function hostActorOf(request: HttpRequest, now: Date): Promise<Actor> {
  const bearer = bearerOf(request);
  if (bearer === null) return actorOf(request, now);
  const actor = await findHostActor({ bearer, calledUrl: () => resourceOf(request), now });
  if (actor) return actor;
  const text = 'The access token is unknown, expired, revoked or for another resource. Sign in again through your app.';
  throw new ParleyError('invalid_token', text, { data: { scope: HOST_SCOPES.join(' ') } });
}

/** True if a rule permits connected apps. */
export function isForHosts(rule: HandlerSpec['auth']): boolean {
  return rule === 'host' || (typeof rule === 'object' && 'hostScope' in rule);
}

/** The viewer of a page, by the browser's `Cookie` header. */
export async function viewerOf(cookies: string | undefined): Promise<Actor> {
  const cookie = sessionCookieFromHeader(cookies ?? '');
  return (cookie && (await findSessionActor(cookie, new Date()))) || { kind: 'anonymous' };
}
