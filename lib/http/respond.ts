import { sha256 } from '../platform/secrets/crypto';
import type { HttpRequest, HttpResponse } from './handler';

/** A response that its handler completed, which JSON routes distinguish from a JSON value. */
export class CompleteResponse<Body extends HttpResponse['body'] = HttpResponse['body']> implements HttpResponse<Body> {
  constructor(
    readonly status: number,
    readonly body: Body,
    readonly headers: HttpResponse['headers'],
  ) {}
}

/** Returns a response with a body or without one. */
export function respond<Body extends HttpResponse['body']>(
  status: number,
  body: Body,
  headers: HttpResponse['headers'] = {},
): CompleteResponse<Body> {
  return new CompleteResponse(status, body, headers);
}

/** Returns a JSON response, with 200 unless another status is given. */
export function jsonResponse(
  value: unknown,
  { status = 200, headers }: { status?: number; headers?: HttpResponse['headers'] } = {},
): CompleteResponse<string> {
  return respond(status, JSON.stringify(value), { 'content-type': 'application/json', ...headers });
}

/** Returns a redirect to be followed with GET (RFC 9110 §15.4.4). */
export function seeOther(location: string, headers?: HttpResponse['headers']): CompleteResponse<null> {
  return respond(303, null, { ...headers, location });
}

/** Returns a WebP image that Parley re-encoded. Browsers must not sniff another type or run content in it. */
export function imageResponse(bytes: Uint8Array, headers: HttpResponse['headers']): CompleteResponse<Uint8Array> {
  return respond(200, bytes, {
    'content-type': 'image/webp',
    'content-disposition': 'inline',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    ...headers,
  });
}

/** Returns the strong `ETag` of a body (RFC 9110 §8.8.3). */
export function etagOf(body: string | Uint8Array): string {
  return etagOfDigest(sha256(body));
}

/** Like {@link etagOf}, for a body whose SHA-256 is known, in hex. */
export function etagOfDigest(digest: string): string {
  return `"${digest.slice(0, 32)}"`;
}

/** Returns true if the client has the body with this `ETag`, so that 304 is sufficient (RFC 9110 §13.1.2). */
export function isNotModified({ headers }: Pick<HttpRequest, 'headers'>, etag: string): boolean {
  return headers.get('if-none-match')?.includes(etag) ?? false;
}
