/**
 * The reason why this client id cannot be the URL of a metadata document
 * (draft-ietf-oauth-client-id-metadata-document-00 §3), or null. Only normalized URLs are accepted, because client ids
 * are compared as text: no dot segments, no upper case in the host, international names in Punycode. http is for
 * loopback addresses, which `AGENT_URL_ALLOW` must exempt.
 */
export function documentUrlProblem(clientId: string): string | null {
  if (!URL.canParse(clientId)) return 'It is not a URL.';
  const { href, protocol, hostname, pathname, username, password } = new URL(clientId);
  if (username || password) return 'It contains a user name or password.';
  if (clientId.includes('#')) return 'It has a fragment.';
  if (href !== clientId) return `It is not normalized: expected ${href}.`;
  if (pathname === '/') return 'It has no path.';
  const isLoopback = hostname === '127.0.0.1' || hostname === '[::1]' || hostname === 'localhost';
  return protocol === 'https:' || (protocol === 'http:' && isLoopback) ? null : 'It is not https.';
}
