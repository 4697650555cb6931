import type { Endpoint } from '../http/endpoint';
import { renderProblem } from '../http/render-error';
import { requestIdOf, requireSameOrigin, sessionCookieName } from '../http/request';
import { admitProviderStart, listProviders } from '../identity';
import { withNext } from '../identity/schema';
import { env } from '../platform/env';
import { ParleyError } from '../platform/errors';
import { type AuthAnswer, type AuthCall, callNextAuth } from './auth-next-call';
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
    const asked = await readAuthRequest(request, context);
    if (!asked) throw notFound();
    if (asked.method !== 'GET' && asked.fromBrowser) requireSameOrigin(request);
    return toResponse(await answer(asked), requestId);
  } catch (error) {
    return renderProblem(error, requestId);
  }
};

function answer(asked: AuthRequest): Promise<AuthAnswer> | AuthAnswer {
  const { method, action, provider, session, query, next } = asked;
  if (provider && !listProviders().some(({ id }) => id === provider)) throw notFound();
  if (method === 'POST' && action === 'signin' && provider) return start(asked, provider);
  if (method !== 'GET') throw notFound();
  // next-auth sees no session here: it would add the provider's account to whoever is signed in in this browser.
  if (action === 'callback' && provider) return run(asked, { query });
  if (provider) throw notFound();
  if (action === 'csrf' || action === 'providers') return run(asked, {});
  if (action === 'session') return run(asked, { cookies: session ? { [sessionCookieName()]: session } : {} });
  if (action === 'signin') return redirect(withNext('/sign-in', next));
  if (action === 'error') return redirect(problemPage(query.error, next));
  throw notFound();
}

/**
 * Starts a sign-in. A form of ours proves itself by its Origin, so it needs no script; a client without Origin proves
 * itself by next-auth's token in body and cookie (CSRF-1).
 */
async function start(asked: AuthRequest, provider: string): Promise<AuthAnswer> {
  await admitProviderStart(asked.place.address);
  if (!asked.fromBrowser) return run(asked, { method: 'POST', body: asked.body });
  const issued = await run({ ...asked, action: 'csrf', provider: undefined, cookies: {} }, {});
  const { csrfToken } = issued.body as { csrfToken: string };
  const pairs = issued.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0] ?? '');
  const cookies = parsePairs(pairs.filter((pair) => /csrf-token=/.test(pair)));
  return run({ ...asked, provider }, { method: 'POST', body: { ...asked.body, csrfToken }, cookies });
}

async function run(asked: AuthRequest, more: Partial<AuthCall>): Promise<AuthAnswer> {
  const { action, provider, ctx, place, next } = asked;
  const body = { ...more.body, callbackUrl: `${env().APP_URL}${next}` };
  const cookies = { ...asked.cookies, ...more.cookies };
  const call = { action, provider, method: 'GET' as const, ...more, body, cookies };
  const answered = await callNextAuth(call, authOptions(ctx, place));
  const location = answered.headers.get('location');
  if (location) answered.headers.set('location', ownLocation(location, next));
  return answered;
}

function redirect(location: string): AuthAnswer {
  return { status: 303, headers: new Headers({ location }), body: undefined };
}

function toResponse({ status, headers, body }: AuthAnswer, requestId: string): Response {
  headers.set('cache-control', 'no-store');
  headers.set('x-request-id', requestId);
  return body === undefined ? new Response(null, { status, headers }) : Response.json(body, { status, headers });
}

function notFound(): ParleyError {
  return new ParleyError('not_found', 'There is nothing at this address.');
}
