import { createRequire } from 'node:module';
import type { NextApiRequest, NextApiResponse } from 'next';
import type { NextAuthOptions, Profile, default as RunNextAuth } from 'next-auth';
import { requireSameOrigin, sessionCookieName } from '../../../http/credentials';
import { problemOf } from '../../../http/errors/render-error';
import type { Handler, HttpResponse } from '../../../http/handler';
import { requestIdOf } from '../../../http/request';
import { jsonResponse, respond } from '../../../http/respond';
import type { Ctx } from '../../../platform/context';
import { ParleyError } from '../../../platform/errors';
import { env } from '../../../platform/runtime/env';
import { log } from '../../../platform/runtime/log';
import { type ClientInfo, limitProviderSignIns, listProviders, resolveProviderAccount, sessionAdapter } from '../..';
import { SESSION_LIFETIME_MS } from '../../limits';
import { type ProviderProblem, withNext } from '../../schema';
import { type AuthRequest, ownLocation, parsePairs, pathOfOwnUrl, problemPage, readAuthRequest } from './request';
import { providerConfigs } from './sign-in-providers';

const require = createRequire(import.meta.url);

/**
 * Sign-in at providers (OIDC, GitHub, Google) by next-auth, under `/api/auth/`: `POST signin/{provider}` starts it,
 * `GET callback/{provider}` completes it; `GET csrf`, `providers` and `session` serve next-auth's clients. Other
 * actions of next-auth return 404.
 */
export const nextAuth: Handler<HttpResponse> = async (request, context) => {
  const requestId = requestIdOf(request);
  try {
    const authRequest = await readAuthRequest(request, context);
    if (!authRequest) throw notFound();
    if (authRequest.method !== 'GET' && authRequest.fromBrowser) requireSameOrigin(request);
    return toResponse(await dispatch(authRequest), requestId);
  } catch (error) {
    return problemOf(error, requestId);
  }
};

function dispatch(authRequest: AuthRequest): Promise<AuthResponse> | AuthResponse {
  const { method, action, provider, session, query, next } = authRequest;
  if (provider && !listProviders().some(({ id }) => id === provider)) throw notFound();
  if (method === 'POST' && action === 'signin' && provider) return start(authRequest, provider);
  if (method !== 'GET') throw notFound();
  // Without the session cookie, because next-auth would link the provider's account to the signed-in user.
  if (action === 'callback' && provider) return run(authRequest, { query });
  if (provider) throw notFound();
  if (action === 'csrf' || action === 'providers') return run(authRequest, {});
  if (action === 'session') return run(authRequest, { cookies: session ? { [sessionCookieName()]: session } : {} });
  if (action === 'signin') return redirect(withNext('/sign-in', next));
  if (action === 'error') return redirect(problemPage(query.error, next));
  throw notFound();
}

/**
 * Starts a sign-in. Our form is verified by its `Origin`, so that it works without JavaScript. A client that sends no
 * `Origin` must send next-auth's CSRF token in body and cookie.
 */
async function start(authRequest: AuthRequest, provider: string): Promise<AuthResponse> {
  await limitProviderSignIns(authRequest.client.address);
  if (!authRequest.fromBrowser) return run(authRequest, { method: 'POST', body: authRequest.body });
  const issued = await run({ ...authRequest, action: 'csrf', provider: undefined, cookies: {} }, {});
  const { csrfToken } = issued.body as { csrfToken: string };
  const pairs = cookiesOf(issued).map((cookie) => cookie.split(';', 1)[0] ?? '');
  const cookies = parsePairs(pairs.filter((pair) => /csrf-token=/.test(pair)));
  return run({ ...authRequest, provider }, { method: 'POST', body: { ...authRequest.body, csrfToken }, cookies });
}

async function run(authRequest: AuthRequest, overrides: Partial<AuthCall>): Promise<AuthResponse> {
  const { action, provider, ctx, client, next } = authRequest;
  const body = { ...overrides.body, callbackUrl: `${env().APP_URL}${next}` };
  const cookies = { ...authRequest.cookies, ...overrides.cookies };
  const call = { action, provider, method: 'GET' as const, ...overrides, body, cookies };
  const response = await callNextAuth(call, authOptions(ctx, client));
  const { location } = response.headers;
  if (location) response.headers.location = ownLocation(String(location), next);
  return response;
}

function redirect(location: string): AuthResponse {
  return { status: 303, headers: { location }, body: undefined };
}

function toResponse({ status, headers, body }: AuthResponse, requestId: string): HttpResponse {
  const all = { ...headers, 'cache-control': 'no-store', 'x-request-id': requestId };
  return body === undefined ? respond(status, null, all) : jsonResponse(body, { status, headers: all });
}

function notFound(): ParleyError {
  return new ParleyError('not_found', 'Page not found. Check the URL.');
}

/** A request to next-auth, with only the cookies and parameters that it may read. */
interface AuthCall {
  action: string;
  provider?: string;
  method: 'GET' | 'POST';
  query?: Record<string, string>;
  body?: Record<string, string>;
  cookies: Record<string, string>;
}

interface AuthResponse {
  status: number;
  headers: HttpResponse['headers'];
  /** The body of a JSON response. */
  body: unknown;
}

/**
 * Runs next-auth as a function. Its Node handler accepts any object with these members, so that we control its cookies
 * and parameters; its route handler would read them directly from Next.
 */
async function callNextAuth(call: AuthCall, options: NextAuthOptions): Promise<AuthResponse> {
  const nextauth = call.provider === undefined ? [call.action] : [call.action, call.provider];
  const { method, body, cookies } = call;
  const request: Source = { method, body, cookies, headers: {}, query: { ...call.query, nextauth } };
  const response: AuthResponse = { status: 200, headers: {}, body: undefined };
  // A CommonJS module with a default export, loaded only if a provider is configured.
  const { default: runNextAuth } = require('next-auth') as { default: typeof RunNextAuth };
  await runNextAuth(request as NextApiRequest, sinkOf(response) as NextApiResponse, options);
  return response;
}

/** The part of Node's request that next-auth reads. */
type Source = Pick<NextApiRequest, 'method' | 'body' | 'cookies' | 'headers' | 'query'>;

/** The part of Node's response that next-auth writes to. */
interface ResponseSink {
  status(code: number): ResponseSink;
  getHeader(name: string): string[] | undefined;
  setHeader(name: string, value: string | string[]): ResponseSink;
  json(body: unknown): void;
  send(body: unknown): void;
  end(): void;
}

function cookiesOf({ headers }: AuthResponse): string[] {
  return [headers['set-cookie'] ?? []].flat();
}

function sinkOf(response: AuthResponse): ResponseSink {
  const sink: ResponseSink = {
    status(code) {
      response.status = code;
      return sink;
    },
    getHeader: (name) => (name.toLowerCase() === 'set-cookie' ? cookiesOf(response) : undefined),
    setHeader(name, value) {
      response.headers[name.toLowerCase()] = value;
      return sink;
    },
    json(body) {
      response.body = body;
    },
    send(body) {
      response.body = body;
    },
    end() {},
  };
  return sink;
}

/**
 * Returns next-auth's options for one request. next-auth only runs the protocol with providers; Parley manages users
 * and sessions. It uses Parley's session cookie, so that sign-ins by provider and by password create the same kind of
 * session.
 */
function authOptions(ctx: Ctx, client: ClientInfo): NextAuthOptions {
  const { APP_URL, NEXTAUTH_SECRET } = env();
  const secure = APP_URL.startsWith('https:');
  const sessionSeconds = SESSION_LIFETIME_MS / 1_000;
  return {
    secret: NEXTAUTH_SECRET,
    useSecureCookies: secure,
    adapter: sessionAdapter({ ctx, client }),
    providers: providerConfigs(),
    // With `updateAge` equal to the lifetime, next-auth never extends a session.
    session: { strategy: 'database', maxAge: sessionSeconds, updateAge: sessionSeconds },
    cookies: {
      sessionToken: { name: sessionCookieName(), options: { httpOnly: true, sameSite: 'lax', path: '/', secure } },
    },
    pages: { signIn: '/sign-in', error: '/sign-in' },
    callbacks: {
      async signIn({ user, account, profile }) {
        if (!account) return problemUrl('provider_failed');
        const { provider, providerAccountId } = account;
        const problem = await resolveProviderAccount({
          ctx,
          input: {
            account: { provider, providerAccountId },
            email: user.email ?? null,
            emailVerified: emailVerifiedIn(profile),
            name: user.name ?? null,
          },
        });
        return problem === null || problemUrl(problem);
      },
      redirect: ({ url }) => `${APP_URL}${pathOfOwnUrl(url)}`,
    },
    logger: { error: logFailure, warn: (code) => log.debug('sign_in.warning', { code }), debug: () => {} },
  };
}

function problemUrl(problem: ProviderProblem): string {
  return `${env().APP_URL}/api/auth/error?error=${problem}`;
}

/** Reads the claim, which some providers send as a string; null if absent. */
function emailVerifiedIn(profile: Profile | undefined): boolean | null {
  const claim = profile && 'email_verified' in profile ? String(profile.email_verified) : '';
  return claim === 'true' ? true : claim === 'false' ? false : null;
}

/** Logs a provider's error without state, nonce, codes and tokens, which some messages contain. */
function logFailure(code: string, metadata: Error | { error: Error }): void {
  const error = metadata instanceof Error ? metadata : metadata.error;
  const message = String(error.message)
    .replace(/[\w~+/=-]{16,}/g, '…')
    .slice(0, 300);
  log.warn('sign_in.provider_failed', { code, error: `${error.name}: ${message}` });
}
