import type { EndpointContext } from '../http/endpoint';
import {
  mediaTypeOf,
  readFormText,
  readStorableJson,
  requestIdOf,
  sessionCookieName,
  sessionCookieOf,
} from '../http/request';
import { type ClientInfo, findSessionActor } from '../identity';
import type { Ctx } from '../platform/context';
import { isObject } from '../platform/json';
import { pathOfOwnUrl } from './auth-next-redirect';
import { clientInfoOf } from './auth-session';

/** A request under `/api/auth/` that no other endpoint takes, read for next-auth. */
export interface AuthRequest {
  ctx: Ctx;
  client: ClientInfo;
  method: string;
  action: string;
  provider: string | undefined;
  query: Record<string, string>;
  body: Record<string, string>;
  /** next-auth's own cookies. The session's is apart: only the actions that need it get it. */
  cookies: Record<string, string>;
  session: string | null;
  /** True when a browser sent it, which then must be on a page of ours. */
  fromBrowser: boolean;
  /** Where to go when signed in. */
  next: string;
}

const callbackCookie = /next-auth\.callback-url$/;

/** Null for paths that next-auth does not know. */
export async function readAuthRequest(request: Request, { address }: EndpointContext): Promise<AuthRequest | null> {
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
    fromBrowser: session !== null || request.headers.has('origin'),
    next: pathOfOwnUrl(body.next ?? body.callbackUrl ?? query.callbackUrl ?? savedCallback),
  };
}

/** `name=value` pairs of cookies; values are percent-encoded. */
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

async function readFields(request: Request): Promise<Record<string, string>> {
  if (mediaTypeOf(request) === 'application/x-www-form-urlencoded') {
    return Object.fromEntries(new URLSearchParams(await readFormText(request)));
  }
  const value = await readStorableJson(request);
  const members = isObject(value) ? Object.entries(value) : [];
  return Object.fromEntries(members.filter((member): member is [string, string] => typeof member[1] === 'string'));
}
