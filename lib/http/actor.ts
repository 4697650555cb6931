import { findSessionActor } from '../identity';
import type { Actor } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { findAccessTokenActor } from '../tokens';
import { bearerOf, isCrossOrigin, requireSameOrigin, sessionCookieFromHeader, sessionCookieOf } from './credentials';
import type { HttpRequest } from './handler';

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
  // Cross-origin pages read as anonymous: the endpoints open to them take bearer tokens only.
  else if (isCrossOrigin(request)) return { kind: 'anonymous' };
  return (await findSessionActor(cookie, now)) ?? { kind: 'anonymous' };
}

/** The viewer of a page, by the browser's `Cookie` header. */
export async function viewerOf(cookies: string | undefined): Promise<Actor> {
  const cookie = sessionCookieFromHeader(cookies ?? '');
  return (cookie && (await findSessionActor(cookie, new Date()))) || { kind: 'anonymous' };
}
