import { LRUCache } from 'lru-cache';
import { ParleyError } from '../../platform/errors';
import { fetchExternalBody } from '../../platform/http-client/safe-fetch';
import { isObject, parseUnambiguousJson } from '../../platform/json';
import {
  MAX_OAUTH_RESPONSE_BYTES,
  MAX_OAUTH_TOKENS,
  OAUTH_DEFAULT_LIFETIME_SECONDS,
  OAUTH_MAX_LIFETIME_SECONDS,
  OAUTH_REFRESH_LEAD_SECONDS,
  OAUTH_TIMEOUT_MS,
} from '../limits';
import type { CredentialInput } from '../schema';

type OauthCredential = CredentialInput & { kind: 'oauth-client-credentials' };

interface CachedToken {
  token: Promise<string>;
  /** The time from which the token is replaced, milliseconds since 1970. */
  refreshAt: number;
}

const tokens = new LRUCache<string, CachedToken>({ max: MAX_OAUTH_TOKENS });

/**
 * Returns an access token from the client credentials grant (RFC 6749 §4.4), fetched through safe-fetch and cached
 * until shortly before it expires. Concurrent calls share one fetch.
 * @throws {ParleyError} `agent_misbehaved` if the token endpoint returns no token; the errors of {@link
 * fetchExternalBody}
 */
export function getOauthToken(input: { key: string; credential: OauthCredential; now: Date }): Promise<string> {
  const { key, credential, now } = input;
  const cached = tokens.get(key);
  if (cached && now.getTime() < cached.refreshAt) return cached.token;
  const entry: CachedToken = { token: Promise.resolve(''), refreshAt: Number.POSITIVE_INFINITY };
  entry.token = fetchToken(credential).then(({ token, expiresIn }) => {
    entry.refreshAt = now.getTime() + Math.max(expiresIn - OAUTH_REFRESH_LEAD_SECONDS, expiresIn / 2) * 1000;
    return token;
  });
  entry.token.catch(() => {
    if (tokens.get(key) === entry) tokens.delete(key);
  });
  tokens.set(key, entry);
  return entry.token;
}

/** Drops a token that the agent rejected. */
export function invalidateOauthToken(key: string, token: string): void {
  const cached = tokens.get(key);
  void cached?.token.then((value) => {
    if (value === token && tokens.get(key) === cached) tokens.delete(key);
  });
}

async function fetchToken(credential: OauthCredential): Promise<{ token: string; expiresIn: number }> {
  const { tokenUrl, clientId, clientSecret, scope, resource, clientAuth } = credential;
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(scope && { scope }),
    ...(resource && { resource }),
  });
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
  const request = {
    url: tokenUrl,
    method: 'POST' as const,
    headers,
    body: form.toString(),
    signal,
    maxBytes: MAX_OAUTH_RESPONSE_BYTES,
    totalMs: OAUTH_TIMEOUT_MS,
  };
  const { status, bytes } = await fetchExternalBody(request);
  return readToken(status, bytes);
}

function readToken(status: number, bytes: Buffer): { token: string; expiresIn: number } {
  if (status !== 200) throw tokenRequestFailed(`HTTP ${status}`);
  const body = tryJson(bytes);
  const token = isObject(body) ? body.access_token : undefined;
  if (!isObject(body) || typeof token !== 'string' || !/^[\x21-\x7e]{1,16384}$/.test(token)) {
    throw tokenRequestFailed('a response without an access token');
  }
  const { expires_in: lifetime } = body;
  return {
    token,
    expiresIn:
      typeof lifetime === 'number' && lifetime > 0
        ? Math.min(lifetime, OAUTH_MAX_LIFETIME_SECONDS)
        : OAUTH_DEFAULT_LIFETIME_SECONDS,
  };
}

function tryJson(bytes: Buffer): unknown {
  try {
    return parseUnambiguousJson(bytes.toString('utf8'));
  } catch {
    return null;
  }
}

// The endpoint's text is not included, because it may contain the credentials that were sent.
function tokenRequestFailed(found: string): ParleyError {
  const text = `The token endpoint that the owner of the agent configured returned ${found}. Only the owner can fix this.`;
  return new ParleyError('agent_misbehaved', text);
}
