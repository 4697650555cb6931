import { sha256 } from '../platform/secrets/crypto';
import type { HttpRequest } from './handler';

/** The strong `ETag` of a body (RFC 9110 §8.8.3). */
export function etagOf(body: string | Uint8Array): string {
  return etagOfDigest(sha256(body));
}

/** {@link etagOf} for a body whose SHA-256 is known, in hex. */
export function etagOfDigest(digest: string): string {
  return `"${digest.slice(0, 32)}"`;
}

/** True when the client has the body with this `ETag`, so that 304 is sufficient (RFC 9110 §13.1.2). */
export function isNotModified({ headers }: Pick<HttpRequest, 'headers'>, etag: string): boolean {
  return headers.get('if-none-match')?.includes(etag) ?? false;
}
