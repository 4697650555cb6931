import { equalInConstantTime, hmac } from './crypto';

const purpose = 'picture-url';

/**
 * The path under which Parley serves a foreign picture, made anew and from its own origin (XSS-1). Only addresses that Parley
 * signed are fetched, so nobody can use it as a proxy of their own.
 */
export function pictureUrl(source: string): string {
  return `/api/pictures?${new URLSearchParams({ url: source, sig: hmac(purpose, source) })}`;
}

/** True when {@link pictureUrl} signed this address. */
export function isSignedPicture(source: string, signature: string): boolean {
  return equalInConstantTime(hmac(purpose, source), signature);
}
