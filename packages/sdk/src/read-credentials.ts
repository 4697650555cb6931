/** All values of a request header, by lower-case name. */
export type HeaderValues = (name: 'authorization' | 'parley-token') => readonly string[];

export type Credentials = { kind: 'none' } | { kind: 'malformed' } | { kind: 'token'; token: string };

/**
 * Reads the token of a request. Parley may send it in `Parley-Token`, which takes precedence: in that case
 * `Authorization` carries a credential of the agent's owner. Tokens in a query or body are ignored (RFC 6750, section
 * 5.3).
 */
export function readCredentials(header: HeaderValues): Credentials {
  const own = header('parley-token');
  if (own.length > 0) return readValues(own.map((value) => value.replace(/^(?!bearer )/i, 'Bearer ')));
  return readValues(header('authorization'));
}

function readValues([value, ...others]: readonly string[]): Credentials {
  if (value === undefined) return { kind: 'none' };
  const [scheme = '', token, ...more] = value.trim().split(/ +/);
  if (others.length > 0 || more.length > 0) return { kind: 'malformed' };
  if (scheme.toLowerCase() !== 'bearer') return { kind: 'none' };
  return token === undefined ? { kind: 'malformed' } : { kind: 'token', token };
}
