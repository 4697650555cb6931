import { type NextRequest, NextResponse } from 'next/server';
import {
  crossOriginHeaders,
  isAgentPage,
  isDevelopment,
  isForPage,
  isOpenToOrigins,
  isPreflight,
  isStorableUrl,
  preflightHeaders,
  refusePageForm,
  requestIdOf,
  signInOrigins,
  siteOrigin,
  UNSTORABLE_URL,
} from './lib/http/edge';

/** Set by server.ts on a request for the page of an agent that is gone: why. Only a rewrite here can answer 410. */
const goneHeader = 'x-parley-gone';

/** Where app/ mounts `POST /`, and what `/agents/{slug}` answers to programs. */
const rootMount = '/api/calls-to-root';
const agentMount = '/api/calls-to-agents';

/**
 * Headers of pages: request id, a Content-Security-Policy with a nonce of its own for every answer, and the rest of
 * XSS-4. It guards nothing but Next's own reading of forms: who may see a page is decided where the page reads its data.
 */
export async function middleware(request: NextRequest): Promise<NextResponse> {
  const { pathname } = request.nextUrl;
  const isCrossOrigin = request.headers.has('origin') && isOpenToOrigins(pathname);
  if (isCrossOrigin && isPreflightOf(request))
    return new NextResponse(null, { status: 204, headers: preflightHeaders });

  const nonce = btoa(crypto.randomUUID());
  const requestId = requestIdOf(request);
  const policy = contentSecurityPolicy(nonce);

  const headers = new Headers(request.headers);
  headers.delete(goneHeader);
  headers.set('x-request-id', requestId);
  // Next puts the nonce that it finds in this header on every script it writes.
  headers.set('content-security-policy', policy);

  if (!isStorableUrl(request.url)) {
    return new NextResponse(UNSTORABLE_URL, { status: 400, headers: fixedHeaders });
  }

  // A page and an endpoint cannot share a path in app/: what is posted to `/` as JSON is answered by a mount elsewhere.
  const mount = callMountOf(request);
  if (mount) {
    const response = NextResponse.rewrite(new URL(mount + request.nextUrl.search, request.url), {
      request: { headers },
    });
    return isCrossOrigin ? withHeaders(response, crossOriginHeaders) : response;
  }

  // Nor has app/ a folder for a parameter with an ending.
  const twin = /^(\/(?:agents|docs)\/[^/]+)\.md$/.exec(pathname);
  if (twin) return NextResponse.rewrite(new URL(`${twin[1]}/markdown`, request.url), { request: { headers } });

  const refusal = await refusePageForm(request);
  if (refusal) return new NextResponse(refusal.text, { status: refusal.status, headers: fixedHeaders });
  const gone = request.headers.get(goneHeader);
  const response = gone
    ? NextResponse.rewrite(new URL(`/gone?${new URLSearchParams({ why: gone })}`, request.url), {
        status: 410,
        request: { headers },
      })
    : NextResponse.next({ request: { headers } });
  withHeaders(response, fixedHeaders);
  if (isCrossOrigin && !isForPage(pageRequestOf(request))) withHeaders(response, crossOriginHeaders);
  response.headers.set('content-security-policy', policy);
  response.headers.set('x-request-id', requestId);
  if (siteOrigin().startsWith('https:')) response.headers.set('strict-transport-security', 'max-age=31536000');
  return response;
}

/** Where a call is mounted whose address is a page's; null for everything else. */
function callMountOf(request: NextRequest): string | null {
  const { pathname } = request.nextUrl;
  const isAgent = isAgentPage(pathname);
  if ((pathname !== '/' && !isAgent) || isForPage(pageRequestOf(request))) return null;
  if (isAgent) return `${agentMount}/${pathname.split('/')[2]}`;
  return request.method === 'POST' ? rootMount : null;
}

function pageRequestOf({ method, headers, nextUrl }: NextRequest): Parameters<typeof isForPage>[0] {
  const contentType = headers.get('content-type') ?? '';
  return { method, path: nextUrl.pathname, contentType, accept: headers.get('accept') ?? '' };
}

function isPreflightOf({ method, headers }: NextRequest): boolean {
  return isPreflight({ method, origin: headers.get('origin'), asked: headers.get('access-control-request-method') });
}

function withHeaders(response: NextResponse, headers: Readonly<Record<string, string>>): NextResponse {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

export const config = {
  matcher: [
    '/((?!_next/|api/|icon.svg|favicon.ico|apple-touch-icon.png).*)',
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

/** Styles may be inline: Radix positions its layers so. In development React needs eval for its stack traces. */
function contentSecurityPolicy(nonce: string): string {
  const evaluate = isDevelopment() ? " 'unsafe-eval'" : '';
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${evaluate}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ['form-action', "'self'", ...signInOrigins()].join(' '),
  ].join('; ');
}
