import { PREFLIGHT_CACHE_SECONDS } from '../limits';

/** Paths open to browsers of any origin: A2A calls, cards, metadata, registries, token endpoints and registration. */
const openPaths = [
  /^\/$/,
  /^\/agents\/[^/]+\/?$/,
  /^\/agents\/[^/]+\/(?:a2a|society|tasks\/process)(?:\/|$)/,
  /^\/v1(?:\/|$)/,
  /^\/(?:a2a|tasks\/(?:process|\.well-known))(?:\/|$)/,
  /^(?:\/agents(?:\/[^/]+)*)?\/\.well-known(?:\/|$)/,
  /^\/agents\/[^/]+\/upstream-card\.json$/,
  /^\/api\/ard(?:\/|$)/,
  /^\/v0\.1\/servers(?:\/|$)/,
  /^\/api\/auth\/(?:handshake|token|device|revoke)\/?$/,
  /^\/oauth\/register\/?$/,
];

/**
 * Returns true for paths that pages from any origin may call, without cookies: their responses never allow credentials
 * mode.
 */
export function allowsAnyOrigin(path: string): boolean {
  return openPaths.some((pattern) => pattern.test(path));
}

/**
 * Returns the headers of every response to a page from another origin, including errors (Fetch standard §3.2).
 * Credentials mode is never used, so any origin can be allowed.
 */
export const corsHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'www-authenticate, retry-after, a2a-extensions, x-a2a-extensions, x-parley-context, x-parley-task, payment-required, payment-response, parley-task-token',
  vary: 'Origin',
};

/** Returns the headers of the response to a preflight request. Clients of x402 send `access-control-expose-headers`. */
export const preflightHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD, POST, DELETE, OPTIONS',
  'access-control-allow-headers':
    'authorization, content-type, accept, last-event-id, idempotency-key, a2a-version, a2a-extensions, x-a2a-extensions, x-parley-context, payment-signature, access-control-expose-headers',
  'access-control-max-age': String(PREFLIGHT_CACHE_SECONDS),
  'cache-control': 'no-store',
  vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
};

/** Returns true for a CORS preflight request. */
export function isPreflight(request: {
  method: string;
  origin: string | null;
  requestedMethod: string | null;
}): boolean {
  return request.method === 'OPTIONS' && request.origin !== null && request.requestedMethod !== null;
}
