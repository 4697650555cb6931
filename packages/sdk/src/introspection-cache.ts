import type { AgentTokenClaims } from './caller.js';
import { ParleyError } from './errors.js';
import { basicCredentials, type Fetch, requestJson } from './request.js';

/** Returns true while Parley reports a verified token as active: not revoked, user and agent in good standing. */
export type CheckActive = (token: string, claims: AgentTokenClaims) => Promise<boolean>;

export interface IntrospectionOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Cache lifetime of a result, in seconds. */
  rememberSeconds: number;
  fetch: Fetch;
  /** Milliseconds since 1970. */
  now: () => number;
}

interface CacheEntry {
  active: Promise<boolean>;
  /** Milliseconds since 1970; infinite while the request is pending. */
  until: number;
}

const MAX_ENTRIES = 10_000;

/**
 * Introspects tokens (RFC 7662) and caches each result, so that a token is introspected only once in that time. Keyed
 * by the token's id, because one token can be encoded in several ways. Negative results are cached as well: a revoked
 * token sent repeatedly would exhaust the agent's rate limit.
 * @throws {ParleyError} from the returned function if Parley cannot be reached; the token's state is unknown then
 */
export function createIntrospectionCache(options: IntrospectionOptions): CheckActive {
  const { rememberSeconds, now } = options;
  const cache = new Map<string, CacheEntry>();

  return function checkActive(token, claims) {
    const found = cache.get(claims.jti);
    if (found && now() < found.until) return found.active;
    const entry: CacheEntry = { active: introspectToken(options, token, claims), until: Number.POSITIVE_INFINITY };
    cache.delete(claims.jti);
    cache.set(claims.jti, entry);
    entry.active.then(
      () => {
        entry.until = Math.min(now() + rememberSeconds * 1000, claims.exp * 1000);
      },
      () => cache.delete(claims.jti),
    );
    const oldest = cache.keys().next().value;
    if (cache.size > MAX_ENTRIES && oldest !== undefined) cache.delete(oldest);
    return entry.active;
  };
}

async function introspectToken(
  options: IntrospectionOptions,
  token: string,
  { jti, sub, aud }: AgentTokenClaims,
): Promise<boolean> {
  const { issuer, clientId, clientSecret, fetch } = options;
  const response = await requestJson(fetch, `${issuer}/api/auth/introspect`, {
    method: 'POST',
    headers: { authorization: basicCredentials(clientId, clientSecret), accept: 'application/json' },
    body: new URLSearchParams({ token, token_type_hint: 'access_token' }),
  });
  if (response.active === false) return false;
  if (response.active !== true) {
    throw new ParleyError('invalid_answer', `${issuer} returned an introspection response without "active".`);
  }
  return response.jti === jti && response.sub === sub && response.aud === aud;
}
