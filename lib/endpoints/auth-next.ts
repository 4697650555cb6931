import type { Endpoint } from '../http/endpoint';
import { renderProblem } from '../http/render-error';
import { requestIdOf, requireSameOrigin, sessionCookieName } from '../http/request';
import { limitProviderSignIns, listProviders } from '../identity';
import { withNext } from '../identity/schema';
import { env } from '../platform/env';
import { ParleyError } from '../platform/errors';
import { type AuthCall, type AuthResponse, callNextAuth } from './auth-next-call';
import { authOptions } from './auth-next-options';
import { ownLocation, problemPage } from './auth-next-redirect';
import { type AuthRequest, parsePairs, readAuthRequest } from './auth-next-request';

/**
 * Sign-in at providers (OIDC, GitHub, Google) by next-auth, under `/api/auth/`: `POST signin/{provider}` starts it,
 * `GET callback/{provider}` ends it; `GET csrf`, `providers` and `session` are what next-auth's clients ask for. The rest
 * of next-auth does not exist here.
 */
export const nextAuth: Endpoint = async (request, context) => {
  const requestId = requestIdOf(request);
  try {
    const authRequest = await readAuthRequest(request, context);
    if (!authRequest) throw notFound();
    if (authRequest.method !== 'GET' && authRequest.fromBrowser) requireSameOrigin(request);
    return toResponse(await answer(authRequest), requestId);
  } catch (error) {
    return renderProblem(error, requestId);
  }
};

function answer(authRequest: AuthRequest): Promise<AuthResponse> | AuthResponse {
  const { method, action, provider, session, query, next } = authRequest;
  if (provider && !listProviders().some(({ id }) => id === provider)) throw notFound();
  if (method === 'POST' && action === 'signin' && provider) return start(authRequest, provider);
  if (method !== 'GET') throw notFound();
  // next-auth sees no session here: it would add the provider's account to whoever is signed in in this browser.
  if (action === 'callback' && provider) return run(authRequest, { query });
  if (provider) throw notFound();
  if (action === 'csrf' || action === 'providers') return run(authRequest, {});
  if (action === 'session') return run(authRequest, { cookies: session ? { [sessionCookieName()]: session } : {} });
  if (action === 'signin') return redirect(withNext('/sign-in', next));
  if (action === 'error') return redirect(problemPage(query.error, next));
  throw notFound();
}

/**
 * Starts a sign-in. A form of ours proves itself by its Origin, so it needs no script; a client without Origin proves
 * itself by next-auth's token in body and cookie (CSRF-1).
 */
async function start(authRequest: AuthRequest, provider: string): Promise<AuthResponse> {
  await limitProviderSignIns(authRequest.client.address);
  if (!authRequest.fromBrowser) return run(authRequest, { method: 'POST', body: authRequest.body });
  const issued = await run({ ...authRequest, action: 'csrf', provider: undefined, cookies: {} }, {});
  const { csrfToken } = issued.body as { csrfToken: string };
  const pairs = issued.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0] ?? '');
  const cookies = parsePairs(pairs.filter((pair) => /csrf-token=/.test(pair)));
  return run({ ...authRequest, provider }, { method: 'POST', body: { ...authRequest.body, csrfToken }, cookies });
}

async function run(authRequest: AuthRequest, overrides: Partial<AuthCall>): Promise<AuthResponse> {
  const { action, provider, ctx, client: place, next } = authRequest;
  const body = { ...overrides.body, callbackUrl: `${env().APP_URL}${next}` };
  const cookies = { ...authRequest.cookies, ...overrides.cookies };
  const call = { action, provider, method: 'GET' as const, ...overrides, body, cookies };
  const response = await callNextAuth(call, authOptions(ctx, place));
  const location = response.headers.get('location');
  if (location) response.headers.set('location', ownLocation(location, next));
  return response;
}

function redirect(location: string): AuthResponse {
  return { status: 303, headers: new Headers({ location }), body: undefined };
}

function toResponse({ status, headers, body }: AuthResponse, requestId: string): Response {
  headers.set('cache-control', 'no-store');
  headers.set('x-request-id', requestId);
  return body === undefined ? new Response(null, { status, headers }) : Response.json(body, { status, headers });
}

function notFound(): ParleyError {
  return new ParleyError('not_found', 'There is nothing at this address.');
}
