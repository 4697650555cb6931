import {
  type AgentRecord,
  getOauthToken,
  hasNoCredential,
  invalidateOauthToken,
  openAgentCredential,
} from '../../catalog';

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
