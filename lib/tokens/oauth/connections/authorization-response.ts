import { env } from '../../../platform/runtime/env';
import type { AuthorizationErrorCode } from '../../../protocol/oauth/authorization-server';

interface ResponseTarget {
  redirectUri: string;
  state: string | undefined;
}

/** The URL of a successful response (RFC 6749 §4.1.2), with our issuer (RFC 9207 §2). */
export function codeUrl({ redirectUri, state }: ResponseTarget, code: string): string {
  return appendParameters(redirectUri, { code, state, iss: env().APP_URL });
}

/** The URL of an error response (RFC 6749 §4.1.2.1), with our issuer. `description` is ASCII without quotes. */
export function errorUrl(
  { redirectUri, state }: ResponseTarget,
  error: AuthorizationErrorCode,
  description: string,
): string {
  return appendParameters(redirectUri, { error, error_description: description, state, iss: env().APP_URL });
}

/** The redirect URI is unchanged. Spaces become `%20`, which every client decodes. */
function appendParameters(uri: string, parameters: Record<string, string | undefined>): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return `${uri}${uri.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}
