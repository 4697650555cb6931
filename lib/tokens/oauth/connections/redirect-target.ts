import type { ConnectionView } from '../../schema-connections';
import type { OAuthClient } from '../clients/oauth-client';

/** True for a redirect URI that only the owner of its host receives. */
export function isWebUri(uri: string): boolean {
  return uri.startsWith('https:');
}

/** True for a redirect URI to a program on the user's computer; others there can listen on the same port. */
export function isLoopbackUri(uri: string): boolean {
  return uri.startsWith('http:');
}

/** The return address of the browser, for the user: international host names in Punycode, which shows look-alikes. */
export function returnsTo(uri: string): string {
  if (isLoopbackUri(uri)) return 'an app on this computer';
  return isWebUri(uri) ? new URL(uri).host : new URL(uri).protocol;
}

/**
 * The redirect URI as a source of a Content Security Policy (CSP3 §2.3.1): its origin, or its scheme with a colon, also
 * for IPv6 addresses, which a source cannot contain.
 */
export function redirectOriginOf(uri: string): string {
  const { origin, protocol, hostname } = new URL(uri);
  return (isWebUri(uri) || isLoopbackUri(uri)) && !hostname.startsWith('[') ? origin : protocol;
}

/** The verification of a client's identity. */
export function verificationOf(kind: OAuthClient['kind']): ConnectionView['verified'] {
  return kind === 'registered' ? 'none' : kind;
}
