import { OAuthError } from '../protocol/oauth/oauth-error';

/**
 * The scopes of a request (RFC 6749 §3.3), each once; all of `allowed` when it names none.
 * @throws {OAuthError} `invalid_scope` for one that is not allowed
 */
export function readScopes<Scope extends string>(text: string | undefined, allowed: readonly Scope[]): Scope[] {
  const names = [...new Set((text ?? '').split(' ').filter(Boolean))];
  if (names.length === 0) return [...allowed];
  const known = allowed.filter((scope) => names.includes(scope));
  if (known.length === names.length) return known;
  throw new OAuthError('invalid_scope', `Expected scopes among: ${allowed.join(' ')}.`);
}
