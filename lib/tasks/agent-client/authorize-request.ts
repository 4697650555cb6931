import { LRUCache } from 'lru-cache';
import { type AgentRecord, hasNoCredential, openAgentCredential } from '../../catalog';
import type { CredentialInput } from '../../catalog/schema';
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

/** The authentication of a call. */
export interface Authorization {
  headers: Record<string, string>;
  /** Returns the URL to call, with the credential in its query if the agent's owner chose that. */
  urlOf(url: string): string;
  /** Redacts this call's secrets in the agent's text. */
  redact(text: string): string;
  /** Drops the credential from the cache, because the agent rejected it. */
  invalidate(): void;
}

interface AuthorizationRequest {
  agent: Pick<AgentRecord, 'id'>;
  token: string;
  now: Date;
}

/**
 * Returns the authentication of a call: the upstream token as a bearer token. A credential that the agent's owner
 * stored is sent as they configured it; the upstream token is then in `Parley-Token` and, if `Authorization` is unused,
 * also a bearer token. Returns a promise only if a lookup is required.
 * @throws {ParleyError} (synchronously or by rejection) the errors of fetching an OAuth token
 */
export function authorize(request: AuthorizationRequest): Authorization | Promise<Authorization> {
  return hasNoCredential(request.agent.id) ? bearerOnly(request.token) : resolveAuthorization(request);
}

async function resolveAuthorization({ agent, token, now }: AuthorizationRequest): Promise<Authorization> {
  const stored = await openAgentCredential(agent.id);
  if (!stored) return bearerOnly(token);
  const bearerHeader = { authorization: `Bearer ${token}` };
  const { credential, setAt } = stored;
  const parleyHeader = { 'parley-token': token };
  switch (credential.kind) {
    case 'bearer': {
      const headers = { ...parleyHeader, authorization: `Bearer ${credential.token}` };
      return { ...plain, headers, redact: redactorFor([token, credential.token]) };
    }
    case 'api-key': {
      const { name, value } = credential;
      const redact = redactorFor([token, value]);
      const key = credential.in === 'header' ? { [name.toLowerCase()]: value } : {};
      const urlOf = credential.in === 'query' ? (url: string) => withQuery(url, name, value) : plain.urlOf;
      return { ...plain, headers: { ...bearerHeader, ...parleyHeader, ...key }, urlOf, redact };
    }
    case 'oauth-client-credentials': {
      const key = `${agent.id} ${setAt.getTime()}`;
      const access = await getOauthToken({ key, credential, now });
      const headers = { ...parleyHeader, authorization: `Bearer ${access}` };
      const redact = redactorFor([token, access, credential.clientSecret]);
      return { ...plain, headers, redact, invalidate: () => invalidateOauthToken(key, access) };
    }
  }
}

const plain = { urlOf: (url: string) => url, invalidate: () => undefined };

function bearerOnly(token: string): Authorization {
  return { ...plain, headers: { authorization: `Bearer ${token}` }, redact: redactorFor([token]) };
}

function withQuery(text: string, name: string, value: string): string {
  const url = new URL(text);
  url.searchParams.set(name, value);
  return url.href;
}

function redactorFor(secrets: string[]): (text: string) => string {
  return (text) => secrets.flatMap(encodingsOf).reduce((masked, secret) => masked.replaceAll(secret, '[secret]'), text);
}

/**
 * Returns the encodings in which a text may contain a secret: unchanged, in JSON, in JSON within JSON, in a path, and
 * in a query.
 */
function encodingsOf(secret: string): string[] {
  const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
  const inQuery = new URLSearchParams({ s: secret }).toString().slice('s='.length);
  return [secret, inJson(secret), inJson(inJson(secret)), encodeURIComponent(secret), inQuery];
}

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
function getOauthToken(input: { key: string; credential: OauthCredential; now: Date }): Promise<string> {
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
function invalidateOauthToken(key: string, token: string): void {
  const cached = tokens.get(key);
  void cached?.token.then((value) => {
    if (value === token && tokens.get(key) === cached) tokens.delete(key);
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
