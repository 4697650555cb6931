import { z } from 'zod';
import { MAX_CLIENT_METADATA_ITEMS, MAX_REDIRECT_URI_LENGTH, MAX_REDIRECT_URIS } from '../limits';
import { OAuthError } from './authorization-server';

const items = z.array(z.string()).max(MAX_CLIENT_METADATA_ITEMS);

const documentSchema = z.object({
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string()).min(1).max(MAX_REDIRECT_URIS),
  grant_types: items.default(['authorization_code']),
  response_types: items.default(['code']),
});

/** The metadata of a public client that Parley uses (RFC 7591 §2). */
export const clientMetadataSchema = documentSchema.omit({ response_types: true });
export type ClientMetadata = z.infer<typeof clientMetadataSchema>;

const usedGrants = ['authorization_code', 'refresh_token'];

/**
 * Checks a client's metadata: it must contain redirect URIs that {@link redirectUriProblem} accepts, and the
 * authorization code grant. Grants that clients of users cannot use are omitted.
 * @throws {OAuthError} `invalid_redirect_uri`, `invalid_client_metadata` (RFC 7591 §3.2.2)
 */
export function readClientMetadata(value: unknown): ClientMetadata {
  const parsed = documentSchema.safeParse(value);
  if (!parsed.success) throw faultOf(parsed.error);
  const { client_name, redirect_uris, grant_types, response_types } = parsed.data;
  for (const [index, uri] of redirect_uris.entries()) {
    const problem = redirectUriProblem(uri);
    if (problem) throw new OAuthError('invalid_redirect_uri', `redirect_uris/${index}: ${problem}`);
  }
  if (!grant_types.includes('authorization_code') || !response_types.includes('code')) {
    const text = 'grant_types must include authorization_code, and response_types must include code.';
    throw new OAuthError('invalid_client_metadata', text);
  }
  return {
    client_name,
    redirect_uris: [...new Set(redirect_uris)],
    grant_types: usedGrants.filter((grant) => grant_types.includes(grant)),
  };
}

function faultOf({ issues }: z.ZodError): OAuthError {
  const { path = [], message = '' } = issues[0] ?? {};
  const code = path[0] === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata';
  return new OAuthError(code, `${path.join('/') || 'The metadata'}: ${message}.`);
}

/** The characters of RFC 3986 §2, without those that browsers replace (`\`, spaces, tabs). */
const URI_TEXT = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/;

/** A domain name in reverse order, as RFC 8252 §7.1 requires. Schemes of browsers and systems have no period. */
const REVERSE_DOMAIN = /^[a-z]{2,}(?:\.[a-z\d-]+)+$/;

/**
 * Redirect URIs that are accepted although their scheme is not a domain name: the fixed URI of a host in our
 * documentation. The scheme itself is not accepted, because it is also used to install servers and open folders.
 */
const KNOWN_ADDRESSES = new Set(['cursor://anysphere.cursor-mcp/oauth/callback']);

/**
 * A redirect URI of an app on the user's own computer (RFC 8252 §7.3). It is compared as text, so `127.1` does not
 * match.
 */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::([1-9]\d{0,4}))?((?:[/?].*)?)$/;

/**
 * Returns why a client may not register this redirect URI (RFC 9700 §4.1.3, RFC 8252 §7); null if it may. Accepts
 * https, http on the loopback interface, private-use schemes that are a domain name in reverse order, and {@link
 * KNOWN_ADDRESSES}.
 */
export function redirectUriProblem(uri: string): string | null {
  if (uri.length > MAX_REDIRECT_URI_LENGTH) return `It is longer than ${MAX_REDIRECT_URI_LENGTH} characters.`;
  if (!URI_TEXT.test(uri) || /%(?![\da-f]{2})/i.test(uri)) return 'It contains characters that a URI cannot have.';
  if (uri.includes('#')) return 'It has a fragment.';
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(uri)?.[1]?.toLowerCase();
  if (scheme === undefined || !URL.canParse(uri)) return 'It is not an absolute URI.';
  if (hasDotSegment(uri)) return 'Its path has a "." or ".." segment.';
  if (scheme === 'https') return webProblem(uri);
  if (scheme === 'http')
    return LOOPBACK.test(uri) ? null : 'It uses http on a host other than 127.0.0.1, [::1] and localhost.';
  if (KNOWN_ADDRESSES.has(uri)) return null;
  if (!REVERSE_DOMAIN.test(scheme))
    return `Its scheme is "${scheme}"; expected https, http on this computer, or your domain name in reverse order, such as com.example.app.`;
  // Otherwise `app.example:8080/callback` would have the scheme `app.example`.
  return uri.startsWith('/', scheme.length + 1) ? null : 'Its scheme is not followed by a path.';
}

function webProblem(uri: string): string | null {
  if (!/^https:\/\/[^/?]/.test(uri)) return 'It is not an absolute URI.';
  const { username, password } = new URL(uri);
  return username || password || /^https:\/\/[^/?]*@/.test(uri) ? 'It contains a user name or password.' : null;
}

function hasDotSegment(uri: string): boolean {
  const [path = ''] = uri.split('?', 1);
  return path.split('/').some((segment) => /^\.{1,2}$/.test(segment.replace(/%2e/gi, '.')));
}

/**
 * Returns true if a requested redirect URI equals the registered one as text (RFC 9700 §2.1). Only the port may differ,
 * and only for http on the loopback interface, where an app cannot choose it in advance (RFC 8252 §7.3).
 */
export function matchesRedirectUri(registered: string, requested: string): boolean {
  if (registered === requested) return true;
  const known = LOOPBACK.exec(registered);
  const found = LOOPBACK.exec(requested);
  return known !== null && found !== null && URL.canParse(requested) && known[1] === found[1] && known[3] === found[3];
}
