import { type AgentRecord, isWithoutCredential, openAgentCredential } from '../../catalog';
import { NewestMap } from '../../platform/newest-map';
import { shared } from '../../platform/registry';
import { forgetOauthToken, oauthTokenFor } from './oauth-token';

/** How a call shows who sends it. */
export interface Authorization {
  headers: Record<string, string>;
  /** The address to call, with what the agent's owner wants in its query. */
  urlOf(url: string): string;
  /** Takes the secrets of this call out of a text that the agent wrote. */
  mask(text: string): string;
  /** The agent refused the credential: a kept one is not used again. */
  forget(): void;
}

interface Asked {
  agent: Pick<AgentRecord, 'id'>;
  token: string;
  now: Date;
}

/**
 * The upstream token as bearer. Where the agent's owner stored a credential, that one stands where they said, and the token
 * travels in `Parley-Token`; as bearer too while `Authorization` is free. A promise only when there is something to look up.
 * @throws {ParleyError} (in either way) what fetching an OAuth token throws
 */
export function authorize(asked: Asked): Authorization | Promise<Authorization> {
  return isWithoutCredential(asked.agent.id) ? bearerAlone(asked.token) : lookUp(asked);
}

async function lookUp({ agent, token, now }: Asked): Promise<Authorization> {
  const stored = await openAgentCredential(agent.id);
  if (!stored) return bearerAlone(token);
  const own = { authorization: `Bearer ${token}` };
  const { credential, setAt } = stored;
  const ours = { 'parley-token': token };
  switch (credential.kind) {
    case 'bearer': {
      const headers = { ...ours, authorization: `Bearer ${credential.token}` };
      return { ...plain, headers, mask: maskOf([token, credential.token]) };
    }
    case 'api-key': {
      const { name, value } = credential;
      const mask = maskOf([token, value]);
      const key = credential.in === 'header' ? { [name.toLowerCase()]: value } : {};
      const urlOf = credential.in === 'query' ? (url: string) => withQuery(url, name, value) : plain.urlOf;
      return { ...plain, headers: { ...own, ...ours, ...key }, urlOf, mask };
    }
    case 'oauth-client-credentials': {
      const key = `${agent.id} ${setAt.getTime()}`;
      const access = await oauthTokenFor({ key, credential, now });
      const headers = { ...ours, authorization: `Bearer ${access}` };
      const mask = maskOf([token, access, credential.clientSecret]);
      return { ...plain, headers, mask, forget: () => forgetOauthToken(key, access) };
    }
  }
}

const plain = { urlOf: (url: string) => url, forget: () => undefined };

/** The same for each call with the same token: most agents have nothing stored. */
function bearerAlone(token: string): Authorization {
  const made = shared('bearer-authorizations', () => new NewestMap<string, Authorization>(1_000));
  const known = made.get(token);
  if (known) return known;
  const authorization = { ...plain, headers: { authorization: `Bearer ${token}` }, mask: maskOf([token]) };
  made.set(token, authorization);
  return authorization;
}

function withQuery(text: string, name: string, value: string): string {
  const url = new URL(text);
  url.searchParams.set(name, value);
  return url.href;
}

function maskOf(secrets: string[]): (text: string) => string {
  return (text) => secrets.flatMap(spellingsOf).reduce((masked, secret) => masked.replaceAll(secret, '[secret]'), text);
}

/** How a secret may stand in a text: as it is, in JSON, in JSON within JSON, in a path, in a query. */
function spellingsOf(secret: string): string[] {
  const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
  const inQuery = new URLSearchParams({ s: secret }).toString().slice('s='.length);
  return [secret, inJson(secret), inJson(inJson(secret)), encodeURIComponent(secret), inQuery];
}
