import { type NextRequest, NextResponse } from 'next/server';
import {
  allowsAnyOrigin,
  corsHeaders,
  ENDPOINT_MOUNT,
  HSTS_SECONDS,
  isAgentPage,
  isAuthorizationPage,
  isDevelopment,
  isForPage,
  isPreflight,
  isStorableUrl,
  preflightHeaders,
  rejectFormPost,
  requestIdOf,
  signInOrigins,
  siteOrigin,
  UNSTORABLE_URL,
} from './lib/http/guard/middleware-helpers';

/** Set by server.ts on requests for the page of an agent that is gone: the reason. */
const goneHeader = 'x-parley-gone';

/** Set by server.ts on requests for the consent page: where its form may redirect to, or `refused`. */
const redirectHeader = 'x-parley-redirect';

/** Where programs find this site's agents (ARD §5.1). */
const ARD_LINK = '</.well-known/ard.json>; rel="ard"; type="application/json"';

/** Documents and files for programs at paths of pages. */
const documents =
  /^\/(?:(?:agents|docs)\/[^/]+\.md|docs\/search\.json|agents\/[^/]+\/(?:icon|badge\.svg|upstream-card\.json)|(?:feed|sitemap)\.xml|sitemaps\/[^/]+|openapi\.json|schemas\/hub\.v1\.json|llms\.txt|robots\.txt)$/;

/**
 * Sets the headers of pages: the request id, a Content-Security-Policy with a nonce per response, and the rest of
 * XSS-4. It authorizes nothing: pages do so when they load their data.
 */
export async function middleware(request: NextRequest): Promise<NextResponse> {
  const { pathname } = request.nextUrl;
  const isCrossOrigin = request.headers.has('origin') && allowsAnyOrigin(pathname);
  if (isCrossOrigin && isPreflightOf(request))
    return new NextResponse(null, { status: 204, headers: preflightHeaders });

  const nonce = btoa(crypto.randomUUID());
  const requestId = requestIdOf(request);
  const redirect = isAuthorizationPage(pathname) ? request.headers.get(redirectHeader) : null;
  const isRefused = redirect === 'refused';
  const policy = contentSecurityPolicy(nonce, redirect === null || isRefused ? [] : [redirect]);

  const headers = new Headers(request.headers);
  headers.delete(goneHeader);
  headers.delete(redirectHeader);
  headers.set('x-request-id', requestId);
  // Next adds the nonce of this header to every script it writes.
  headers.set('content-security-policy', policy);

  if (!isStorableUrl(request.url)) {
    return new NextResponse(UNSTORABLE_URL, { status: 400, headers: fixedHeaders });
  }

  if (isForEndpoint(request)) {
    const target = new URL(ENDPOINT_MOUNT + (pathname === '/' ? '' : pathname) + request.nextUrl.search, request.url);
    const response = NextResponse.rewrite(target, { request: { headers } });
    return isCrossOrigin ? withHeaders(response, corsHeaders) : response;
  }

  const rejection = await rejectFormPost(request);
  if (rejection) return new NextResponse(rejection.text, { status: rejection.status, headers: fixedHeaders });
  const gone = request.headers.get(goneHeader);
  const response = gone
    ? NextResponse.rewrite(new URL(`/gone?${new URLSearchParams({ why: gone })}`, request.url), {
        status: 410,
        request: { headers },
      })
    : isRefused
      ? NextResponse.rewrite(request.url, { status: 400, request: { headers } })
      : NextResponse.next({ request: { headers } });
  withHeaders(response, fixedHeaders);
  if (isCrossOrigin && !isForPage(pageRequestOf(request))) withHeaders(response, corsHeaders);
  response.headers.set('content-security-policy', policy);
  response.headers.set('x-request-id', requestId);
  response.headers.append('link', ARD_LINK);
  if (siteOrigin().startsWith('https:')) response.headers.set('strict-transport-security', `max-age=${HSTS_SECONDS}`);
  return response;
}

/** True for a request to an endpoint at a path where Next would serve a page. */
function isForEndpoint(request: NextRequest): boolean {
  const { pathname } = request.nextUrl;
  if (documents.test(pathname)) return true;
  const isShared = pathname === '/' || isAgentPage(pathname) || isAuthorizationPage(pathname);
  return isShared && !isForPage(pageRequestOf(request));
}

function pageRequestOf({ method, headers, nextUrl }: NextRequest): Parameters<typeof isForPage>[0] {
  const contentType = headers.get('content-type') ?? '';
  return { method, path: nextUrl.pathname, contentType, accept: headers.get('accept') ?? '' };
}

function isPreflightOf({ method, headers }: NextRequest): boolean {
  return isPreflight({
    method,
    origin: headers.get('origin'),
    requestedMethod: headers.get('access-control-request-method'),
  });
}

function withHeaders(response: NextResponse, headers: Readonly<Record<string, string>>): NextResponse {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

export const config = {
  matcher: [
    '/((?!_next/|api/|icon.svg|favicon.ico|apple-touch-icon.png).*)',
    '/api/ard/:path*',
    '/api/auth/(handshake|token|device|revoke)',
  ],
  runtime: 'nodejs',
};

const fixedHeaders = {
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
};

/** Radix needs inline styles for its layers; React needs eval for stack traces in development. */
function contentSecurityPolicy(nonce: string, redirects: string[]): string {
  const evalSource = isDevelopment() ? " 'unsafe-eval'" : '';
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${evalSource}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ['form-action', "'self'", ...signInOrigins(), ...redirects].join(' '),
  ].join('; ');
}
