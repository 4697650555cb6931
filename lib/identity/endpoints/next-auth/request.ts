import { sessionCookieName, sessionCookieOf } from '../../../http/credentials';
import type { HandlerContext, HttpRequest } from '../../../http/handler';
import { mediaTypeOf, readFormText, readStorableJson, requestIdOf } from '../../../http/request';
import type { Ctx } from '../../../platform/context';
import { isObject } from '../../../platform/json';
import { env } from '../../../platform/runtime/env';
import { type ClientInfo, findSessionActor } from '../..';
import { type ProviderProblem, safeNext, withNext } from '../../schema';
import { clientInfoOf } from '../session-endpoints';

/** A parsed request under `/api/auth/` that matches no other endpoint. */
export interface AuthRequest {
  ctx: Ctx;
  client: ClientInfo;
  method: string;
  action: string;
  provider: string | undefined;
  query: Record<string, string>;
  body: Record<string, string>;
  /** The cookies of next-auth without the session cookie, which only the actions that require it receive. */
  cookies: Record<string, string>;
  session: string | null;
  /** True if a browser sent the request, which must then come from one of our pages. */
  fromBrowser: boolean;
  /** The path after sign-in. */
  next: string;
}

const callbackCookie = /next-auth\.callback-url$/;

/** Parses a request for next-auth; null for paths with too many segments. */
export async function readAuthRequest(request: HttpRequest, { address }: HandlerContext): Promise<AuthRequest | null> {
  const url = new URL(request.url);
  const [action = '', provider, ...rest] = url.pathname.replace(/\/$/, '').split('/').slice(3);
  if (rest.length > 0) return null;
  const now = new Date();
  const session = sessionCookieOf(request);
  const all = parsePairs((request.headers.get('cookie') ?? '').split(/;\s*/));
  const own = Object.entries(all).filter(([name]) => name !== sessionCookieName());
  const savedCallback = own.find(([name]) => callbackCookie.test(name))?.[1];
  const query = Object.fromEntries(url.searchParams);
  const body = request.method === 'POST' ? await readFields(request) : {};
  const actor = session ? await findSessionActor(session, now) : null;
  return {
    ctx: { actor: actor ?? { kind: 'anonymous' }, requestId: requestIdOf(request), signal: request.signal, now },
    client: clientInfoOf(request, address),
    method: request.method,
    action,
    provider,
    query,
    body,
    cookies: Object.fromEntries(own.filter(([name]) => !callbackCookie.test(name))),
    session,
    fromBrowser: session !== null || request.headers.get('origin') !== null,
    next: pathOfOwnUrl(body.next ?? body.callbackUrl ?? query.callbackUrl ?? savedCallback),
  };
}

/** Parses `name=value` cookie pairs with percent-encoded values. */
export function parsePairs(pairs: string[]): Record<string, string> {
  const entries = pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const);
  return Object.fromEntries(entries.filter(([name]) => name !== '').map(([name, value]) => [name, decode(value)]));
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

async function readFields(request: HttpRequest): Promise<Record<string, string>> {
  if (mediaTypeOf(request) === 'application/x-www-form-urlencoded') {
    return Object.fromEntries(new URLSearchParams(await readFormText(request)));
  }
  const value = await readStorableJson(request);
  const members = isObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(members.filter((member): member is [string, string] => typeof member[1] === 'string'));
}

/**
 * The problem that the sign-in page shows for each of our rejections and for next-auth's error for an unreachable
 * provider.
 */
const problems: Record<string, ProviderProblem> = {
  account_exists: 'account_exists',
  email_missing: 'email_missing',
  email_unverified: 'email_unverified',
  suspended: 'suspended',
  OAuthSignin: 'provider_unreachable',
};

/** Returns the path of one of our URLs, or a path, validated as a redirect target. */
export function pathOfOwnUrl(text: string | undefined): string {
  const own = env().APP_URL;
  return safeNext(text?.startsWith(`${own}/`) ? text.slice(own.length) : text);
}

/** Returns the URL of our sign-in page with next-auth's error and the `next` path. */
export function problemPage(error: string | null | undefined, next: string): string {
  return withNext('/sign-in', next, { error: problems[error ?? ''] ?? 'provider_failed' });
}

/** Returns the redirect target of next-auth, with its own pages replaced by ours. */
export function ownLocation(location: string, next: string): string {
  const { APP_URL } = env();
  if (!location.startsWith(`${APP_URL}/api/auth/`) && !location.startsWith('/')) return location;
  const url = new URL(location, APP_URL);
  return problemPage(url.searchParams.get('error'), next);
}
