import type { AuthorizationView } from '@/lib/tokens/schema-connections';

/**
 * The target to which a client returns: a website, a program on this computer, or the app that opens a private-use
 * scheme.
 */
export type ReturnKind = 'website' | 'computer' | 'scheme';

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];

/** Plain HTTP is valid for loopback addresses only (RFC 8252 §8.3). */
export function returnKindOf({ redirectOrigin }: Pick<AuthorizationView, 'redirectOrigin'>): ReturnKind {
  if (redirectOrigin.startsWith('http:')) return 'computer';
  if (!redirectOrigin.startsWith('https://')) return 'scheme';
  return loopbackHosts.includes(new URL(redirectOrigin).hostname) ? 'computer' : 'website';
}
