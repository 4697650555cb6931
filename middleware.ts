import { type NextRequest, NextResponse } from 'next/server';
import {
  HSTS_SECONDS,
  isAuthorizationPage,
  isDevelopment,
  rejectFormPost,
  requestIdOf,
  saveLanguage,
  signInOrigins,
  siteOrigin,
} from '@/lib/pages/site';
import { localeCookie, localeHeader, localeParameter, offeredLocale } from '@/lib/texts/languages';

/** Set by server.ts on requests for the page of an agent that is unavailable: the reason. */
const goneHeader = 'x-parley-gone';

/** Set by server.ts on requests for the consent page: the permitted redirect target of its form, or `refused`. */
const redirectHeader = 'x-parley-redirect';

/** Time for which a browser keeps the language that its user selected. */
const LOCALE_SECONDS = 31_536_000;

/** The URL at which programs find this site's agents (ARD §5.1). */
const ARD_LINK = '</.well-known/ard.json>; rel="ard"; type="application/json"';

/**
 * Sets the headers of pages: the request id, a Content-Security-Policy with a nonce per response, and all others of
 * XSS-4. Does not authorize requests, which pages do when they load their data.
 */
export async function middleware(request: NextRequest): Promise<NextResponse> {
  const { pathname } = request.nextUrl;
  const nonce = btoa(crypto.randomUUID());
  const requestId = requestIdOf(request);
  const redirect = isAuthorizationPage(pathname) ? request.headers.get(redirectHeader) : null;
  const isRefused = redirect === 'refused';
  const policy = contentSecurityPolicy(nonce, redirect === null || isRefused ? [] : [redirect]);

  const headers = new Headers(request.headers);
  headers.delete(goneHeader);
  headers.delete(redirectHeader);
  headers.delete(localeHeader);
  const locale = offeredLocale(request.nextUrl.searchParams.get(localeParameter));
  if (locale) {
    headers.set(localeHeader, locale);
    await saveLanguage(request, locale);
  }
  headers.set('x-request-id', requestId);
  // Next adds the nonce in this header to every script that it writes.
  headers.set('content-security-policy', policy);

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
  response.headers.set('content-security-policy', policy);
  response.headers.set('x-request-id', requestId);
  response.headers.append('link', ARD_LINK);
  const secure = siteOrigin().startsWith('https:');
  if (locale) response.cookies.set(localeCookie, locale, { maxAge: LOCALE_SECONDS, sameSite: 'lax', secure });
  if (secure) response.headers.set('strict-transport-security', `max-age=${HSTS_SECONDS}`);
  return response;
}

function withHeaders(response: NextResponse, headers: Readonly<Record<string, string>>): NextResponse {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

export const config = {
  matcher: ['/((?!_next/|icon.svg|favicon.ico|apple-touch-icon.png|sw.js|manifest.webmanifest|icons/|install/).*)'],
  runtime: 'nodejs',
};

const fixedHeaders = {
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
};

/**
 * Returns the policy. Radix requires inline styles for its layers; React requires eval for stack traces in development.
 */
function contentSecurityPolicy(nonce: string, redirects: string[]): string {
  const evalSource = isDevelopment() ? " 'unsafe-eval'" : '';
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${evalSource}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ['form-action', "'self'", ...signInOrigins(), ...redirects].join(' '),
  ].join('; ');
}
