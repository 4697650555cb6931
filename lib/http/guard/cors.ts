/** Where browsers reach Parley's A2A side: calls, cards, metadata, and the endpoints that make, renew and revoke tokens. */
const openPaths = [
  /^\/$/,
  /^\/agents\/[^/]+\/?$/,
  /^\/agents\/[^/]+\/(?:a2a|society|tasks\/process)(?:\/|$)/,
  /^\/v1\/(?:agents|agent-systems)\/[^/]+\/(?:a2a|\.well-known)(?:\/|$)/,
  /^\/v1\/agent-systems\/[^/]+\/?$/,
  /^\/(?:a2a|tasks\/process)(?:\/|$)/,
  /^(?:\/agents(?:\/[^/]+)*)?\/\.well-known(?:\/|$)/,
  /^\/agents\/[^/]+\/upstream-card\.json$/,
  /^\/api\/auth\/(?:handshake|token|device|revoke)\/?$/,
];

/** True for paths that pages of any origin may call. Those authenticate by `Authorization` alone, never by cookie. */
export function allowsAnyOrigin(path: string): boolean {
  return openPaths.some((pattern) => pattern.test(path));
}

/**
 * Headers of every answer, errors included, to a page of another origin (Fetch standard §3.2). There are no credentials in a
 * browser's sense, so that all origins may be allowed alike.
 */
export const corsHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'www-authenticate, retry-after, a2a-extensions, x-a2a-extensions',
  vary: 'Origin',
};

/** Headers of the answer to a preflight, which may be kept for two hours (the most that Chromium does). */
export const preflightHeaders: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD, POST, DELETE, OPTIONS',
  'access-control-allow-headers':
    'authorization, content-type, accept, last-event-id, idempotency-key, a2a-version, a2a-extensions, x-a2a-extensions',
  'access-control-max-age': '7200',
  'cache-control': 'no-store',
  vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
};

/** True for the preflight of a call from a page of another origin. */
export function isPreflight(request: {
  method: string;
  origin: string | null;
  requestedMethod: string | null;
}): boolean {
  return request.method === 'OPTIONS' && request.origin !== null && request.requestedMethod !== null;
}
