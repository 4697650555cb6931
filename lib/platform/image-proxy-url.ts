import { constantTimeEqual, hmac } from './crypto';

const purpose = 'picture-url';

/**
 * The path under which Parley serves a foreign picture, made anew and from its own origin (XSS-1). Only addresses that Parley
 * signed are fetched, so nobody can use it as a proxy of their own.
 */
export function imageProxyUrl(source: string): string {
  return `/api/pictures?${new URLSearchParams({ url: source, sig: hmac(purpose, source) })}`;
}

/** True when {@link imageProxyUrl} signed this address. */
export function isValidImageSignature(source: string, signature: string): boolean {
  return constantTimeEqual(hmac(purpose, source), signature);
}
