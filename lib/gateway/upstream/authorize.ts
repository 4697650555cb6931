import { type AgentRecord, hasNoCredential, openAgentCredential } from '../../catalog';
import { BoundedMap } from '../../platform/bounded-map';
import { processSingleton } from '../../platform/singleton';
import { getOauthToken, invalidateOauthToken } from './oauth-token';

/** How a call shows who sends it. */
export interface Authorization {
  headers: Record<string, string>;
  /** The address to call, with what the agent's owner wants in its query. */
  urlOf(url: string): string;
  /** Takes the secrets of this call out of a text that the agent wrote. */
  redact(text: string): string;
  /** The agent refused the credential: a kept one is not used again. */
  invalidate(): void;
}

interface AuthorizationRequest {
  agent: Pick<AgentRecord, 'id'>;
  token: string;
  now: Date;
}

/**
 * The upstream token as bearer. Where the agent's owner stored a credential, that one stands where they said, and the token
 * travels in `Parley-Token`; as bearer too while `Authorization` is free. A promise only when there is something to look up.
 * @throws {ParleyError} (in either way) what fetching an OAuth token throws
 */
export function authorize(asked: AuthorizationRequest): Authorization | Promise<Authorization> {
  return hasNoCredential(asked.agent.id) ? bearerOnly(asked.token) : resolveAuthorization(asked);
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

/** The same for each call with the same token: most agents have nothing stored. */
function bearerOnly(token: string): Authorization {
  const cache = processSingleton('bearer-authorizations', () => new BoundedMap<string, Authorization>(1_000));
  const cached = cache.get(token);
  if (cached) return cached;
  const authorization = { ...plain, headers: { authorization: `Bearer ${token}` }, redact: redactorFor([token]) };
  cache.set(token, authorization);
  return authorization;
}

function withQuery(text: string, name: string, value: string): string {
  const url = new URL(text);
  url.searchParams.set(name, value);
  return url.href;
}

function redactorFor(secrets: string[]): (text: string) => string {
  return (text) => secrets.flatMap(encodingsOf).reduce((masked, secret) => masked.replaceAll(secret, '[secret]'), text);
}

/** How a secret may stand in a text: as it is, in JSON, in JSON within JSON, in a path, in a query. */
function encodingsOf(secret: string): string[] {
  const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
  const inQuery = new URLSearchParams({ s: secret }).toString().slice('s='.length);
  return [secret, inJson(secret), inJson(inJson(secret)), encodeURIComponent(secret), inQuery];
}
