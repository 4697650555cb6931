import { findGuestActor, findSessionActor } from '../identity';
import type { Actor, GuestActor } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { env } from '../platform/runtime/env';
import { HOST_SCOPES } from '../platform/scopes';
import type { PresentedProof } from '../protocol/oauth/requests';
import { findAccessTokenActor, findHostActor } from '../tokens';
import type { HandlerSpec, HttpRequest } from './handler';
import { resourceOf } from './request';

/**
 * Returns the bearer token of the request (RFC 6750 §2.1); null if there is no `Authorization` header.
 * @throws {ParleyError} `invalid_token` unless the header is one well-formed bearer credential
 */
export function bearerOf(request: HttpRequest): string | null {
  const header = request.headers.get('authorization');
  if (header === null) return null;
  const match = /^Bearer ([A-Za-z0-9\-._~+/]+=*)$/i.exec(header);
  if (!match?.[1]) {
    throw new ParleyError('invalid_token', 'Expected "Authorization: Bearer <token>" with one token.');
  }
  return match[1];
}

/** An agent token as a request presents it: bearer, or DPoP with its proof (RFC 9449 §7.1). */
interface PresentedToken {
  token: string;
  proof?: PresentedProof;
}

/**
 * Returns the agent token of the request; null if there is no `Authorization` header.
 * @throws {ParleyError} `invalid_token` unless the header is one well-formed credential
 */
export function presentedTokenOf(request: HttpRequest): PresentedToken | null {
  const bound = /^DPoP ([A-Za-z0-9\-._~+/]+=*)$/i.exec(request.headers.get('authorization') ?? '');
  if (bound?.[1]) return { token: bound[1], proof: dpopProofOf(request) ?? { proof: '', ...proofTargetOf(request) } };
  const token = bearerOf(request);
  return token === null ? null : { token };
}

/** Returns the request's DPoP proof, if any. Its target URL has our origin, regardless of the Host header. */
export function dpopProofOf(request: HttpRequest): PresentedProof | undefined {
  const proof = request.headers.get('dpop');
  return proof === null ? undefined : { proof, ...proofTargetOf(request) };
}

function proofTargetOf(request: HttpRequest): Omit<PresentedProof, 'proof'> {
  return { method: request.method, url: `${env().APP_URL}${new URL(request.url).pathname}` };
}

/** Returns the session cookie's name. Over https, `__Host-` prevents other hosts and paths from setting it. */
export function sessionCookieName(): string {
  return env().APP_URL.startsWith('https:') ? '__Host-parley' : 'parley';
}

/** Returns the value of the session cookie, or null. */
export function sessionCookieOf(request: HttpRequest): string | null {
  return sessionCookieFromHeader(request.headers.get('cookie') ?? '');
}

/** Returns the value of the session cookie in a `Cookie` header, or null. */
export function sessionCookieFromHeader(cookies: string): string | null {
  return cookieIn(cookies, sessionCookieName());
}

/** Returns the name of the cookie that identifies a guest. */
export function guestCookieName(): string {
  return `${sessionCookieName()}-guest`;
}

/** Returns the value of a cookie, without decoding it; undefined if it is absent. */
export function cookieOf(request: HttpRequest, name: string): string | undefined {
  return cookieIn(request.headers.get('cookie') ?? '', name) ?? undefined;
}

function cookieIn(cookies: string, name: string): string | null {
  const prefix = `${name}=`;
  const pair = cookies.split(/;\s*/).find((part) => part.startsWith(prefix));
  return pair ? pair.slice(prefix.length) : null;
}

/** Returns the `Set-Cookie` value that starts a session, or deletes the cookie if `token` is empty. */
export function sessionCookie(token: string, expires: Date): string {
  return setCookie(sessionCookieName(), token, expires);
}

/** Returns the `Set-Cookie` value that starts a guest session, like {@link sessionCookie}. */
export function guestCookie(token: string, expires: Date): string {
  return setCookie(guestCookieName(), token, expires);
}

function setCookie(name: string, value: string, expires: Date): string {
  const secure = env().APP_URL.startsWith('https:') ? '; Secure' : '';
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax; Expires=${expires.toUTCString()}${secure}`;
}

/**
 * Rejects writes that a page from another origin could have sent with the user's cookie.
 * @throws {ParleyError} `origin_required`
 */
export function requireSameOrigin(request: HttpRequest): void {
  const own = env().APP_URL;
  const origin = request.headers.get('origin');
  if (origin !== null && !isCrossOrigin(request)) return;
  throw new ParleyError(
    'origin_required',
    `A write with the session cookie requires "Origin: ${own}"; found ${origin ? `"${origin.slice(0, 100)}"` : 'none'}.`,
  );
}

/**
 * Rejects requests that a page from another origin sent, with or without the cookie. Programs send no `Origin`.
 * @throws {ParleyError} `origin_required`
 */
export function rejectCrossOrigin(request: HttpRequest): void {
  if (isCrossOrigin(request)) requireSameOrigin(request);
}

/**
 * Returns true if a page from another origin sent the request. Browsers set `Origin` on all such requests (Fetch
 * standard §3.1).
 */
export function isCrossOrigin(request: HttpRequest): boolean {
  const own = env().APP_URL;
  const origin = request.headers.get('origin');
  // Over http, loopback names count as ours. Over https, the same host with http may be an attacker in the network.
  const alias = own.startsWith('http:') ? `http://${request.headers.get('host')}` : own;
  return origin !== null && origin !== own && origin !== alias;
}

/**
 * Returns the caller of our own API: by personal access token if a bearer token is sent (cookies are then ignored),
 * otherwise by session cookie, otherwise by guest cookie, otherwise anonymous.
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
  const cookies = request.headers.get('cookie') ?? '';
  const cookie = sessionCookieFromHeader(cookies);
  if (cookie === null && cookieIn(cookies, guestCookieName()) === null) return { kind: 'anonymous' };
  if (request.method !== 'GET' && request.method !== 'HEAD') requireSameOrigin(request);
  // Cross-origin pages count as anonymous. The endpoints that they may call accept only bearer tokens.
  else if (isCrossOrigin(request)) return { kind: 'anonymous' };
  const actor = cookie && (await findSessionActor(cookie, now));
  return actor || guestOr(cookies, { userAgent: request.headers.get('user-agent') ?? '', now });
}

/** Returns the guest whom the cookies identify, otherwise the anonymous actor. */
async function guestOr(cookies: string, browser: { userAgent: string; now: Date }): Promise<Actor> {
  const cookie = cookieIn(cookies, guestCookieName());
  return (cookie && (await findGuestActor(cookie, browser))) || { kind: 'anonymous' };
}

/** Returns the browser's guest, even while a user is signed in; null if there is none. */
export async function findGuestOf(request: HttpRequest, now: Date): Promise<GuestActor | null> {
  const browser = { userAgent: request.headers.get('user-agent') ?? '', now };
  const actor = await guestOr(request.headers.get('cookie') ?? '', browser);
  return actor.kind === 'guest' ? actor : null;
}

/**
 * Returns the caller of an endpoint for hosts, as {@link actorOf} does, or by the token of an app that is connected to
 * this URL.
 * @throws {ParleyError} as {@link actorOf}; `invalid_token` contains the scopes that an app should request
 */
export async function hostActorOf(request: HttpRequest, now: Date): Promise<Actor> {
  const bearer = bearerOf(request);
  if (bearer === null) return actorOf(request, now);
  const actor = await findHostActor({ bearer, calledUrl: () => resourceOf(request), now });
  if (actor) return actor;
  const text = 'The access token is unknown, expired, revoked or for another resource. Sign in again through your app.';
  throw new ParleyError('invalid_token', text, { data: { scope: HOST_SCOPES.join(' ') } });
}

/** Returns true if a rule permits connected apps. */
export function isForHosts(rule: HandlerSpec['auth']): boolean {
  return rule === 'host' || (typeof rule === 'object' && 'hostScope' in rule);
}

/** Returns the viewer of a page, by the browser's `Cookie` header. */
export async function viewerOf(cookies: string | undefined): Promise<Actor> {
  const cookie = sessionCookieFromHeader(cookies ?? '');
  return (cookie && (await findSessionActor(cookie, new Date()))) || { kind: 'anonymous' };
}
