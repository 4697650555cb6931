import type { CredentialInput } from '../../catalog/schema';
import { BoundedMap } from '../../platform/bounded-map';
import { ParleyError } from '../../platform/errors';
import { isObject, parseJson } from '../../platform/json';
import { fetchExternalBody } from '../../platform/safe-fetch';
import { processSingleton } from '../../platform/singleton';

type OauthCredential = CredentialInput & { kind: 'oauth-client-credentials' };

interface CachedToken {
  token: Promise<string>;
  /** Milliseconds since 1970 from which a new one is fetched. */
  refreshAt: number;
}

const maxCached = 5_000;
const maxBytes = 65_536;
const totalMs = 10_000;
/** A token is replaced this long before it ends, or at half of a shorter life, seconds. */
const refreshLeadSeconds = 60;
/** How long a token is kept whose end nobody told (RFC 6749 §5.1 only recommends `expires_in`). */
const defaultTtlSeconds = 300;

function tokenCache(): Map<string, CachedToken> {
  return processSingleton('oauth-tokens', () => new BoundedMap(maxCached));
}

/**
 * An access token by the client credentials grant (RFC 6749 §4.4), fetched through the guarded way out and kept until
 * shortly before it ends; calls that come at once wait for one fetch.
 * @throws {ParleyError} `agent_misbehaved` when the token endpoint answers without a token, what {@link fetchExternalBody} throws
 */
export function getOauthToken(input: { key: string; credential: OauthCredential; now: Date }): Promise<string> {
  const tokens = tokenCache();
  const { key, credential, now } = input;
  const cached = tokens.get(key);
  if (cached && now.getTime() < cached.refreshAt) return cached.token;
  const entry: CachedToken = { token: Promise.resolve(''), refreshAt: Number.POSITIVE_INFINITY };
  entry.token = fetchToken(credential).then(({ token, expiresIn }) => {
    entry.refreshAt = now.getTime() + Math.max(expiresIn - refreshLeadSeconds, expiresIn / 2) * 1000;
    return token;
  });
  entry.token.catch(() => {
    if (tokens.get(key) === entry) tokens.delete(key);
  });
  tokens.set(key, entry);
  return entry.token;
}

/** Drops a token that the agent refused. */
export function invalidateOauthToken(key: string, token: string): void {
  const cached = tokenCache().get(key);
  void cached?.token.then((value) => {
    if (value === token && tokenCache().get(key) === cached) tokenCache().delete(key);
  });
}

async function fetchToken(credential: OauthCredential): Promise<{ token: string; expiresIn: number }> {
  const { tokenUrl, clientId, clientSecret, scope, clientAuth } = credential;
  const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope && { scope }) });
  const headers: Record<string, string> = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  };
  if (clientAuth === 'body') {
    form.set('client_id', clientId);
    form.set('client_secret', clientSecret);
  } else {
    const pair = [clientId, clientSecret].map((text) => new URLSearchParams([['', text]]).toString().slice(1));
    headers.authorization = `Basic ${Buffer.from(pair.join(':')).toString('base64')}`;
  }
  const { signal } = new AbortController();
  const request = { url: tokenUrl, method: 'POST' as const, headers, body: form.toString(), signal, maxBytes, totalMs };
  const { status, bytes } = await fetchExternalBody(request);
  return readToken(status, bytes);
}

function readToken(status: number, bytes: Buffer): { token: string; expiresIn: number } {
  if (status !== 200) throw tokenRequestFailed(`HTTP ${status}`);
  const body = tryJson(bytes);
  const token = isObject(body) ? body.access_token : undefined;
  if (!isObject(body) || typeof token !== 'string' || !/^[\x21-\x7e]{1,16384}$/.test(token)) {
    throw tokenRequestFailed('an answer without an access token');
  }
  const { expires_in: lifetime } = body;
  return {
    token,
    expiresIn: typeof lifetime === 'number' && lifetime > 0 ? Math.min(lifetime, 86_400) : defaultTtlSeconds,
  };
}

function tryJson(bytes: Buffer): unknown {
  try {
    return parseJson(bytes.toString('utf8'));
  } catch {
    return null;
  }
}

// What the endpoint wrote is not repeated: it may hold what was sent to it.
function tokenRequestFailed(found: string): ParleyError {
  const text = `The token endpoint that the agent's owner named answered with ${found}. Only the owner can mend this.`;
  return new ParleyError('agent_misbehaved', text);
}
