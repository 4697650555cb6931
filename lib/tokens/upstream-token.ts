import { BoundedMap } from '../platform/bounded-map';
import { onConnectionGap, subscribe } from '../platform/bus';
import { processSingleton } from '../platform/singleton';
import { findScopes, recordAgentUse } from './grants';
import { issueToken, type TokenGrant } from './issue-token';

interface CachedToken {
  token: Promise<string>;
  /** Milliseconds since 1970 from which a new one is made. */
  until: number;
}

type UpstreamGrant = Pick<TokenGrant, 'principal' | 'credentialId' | 'agent' | 'clientId'>;

const maxEntries = 10_000;
/** An agent gets at least this long to check who is calling. */
const renewBeforeMs = 60_000;
const lifetimeMs = 900_000;

function tokenCache(): Map<string, CachedToken> {
  return processSingleton('upstream-tokens', () => {
    const tokens = new BoundedMap<string, CachedToken>(maxEntries);
    subscribe('keys', '*', () => tokens.clear());
    onConnectionGap(() => tokens.clear());
    return tokens;
  });
}

/**
 * The token that the gateway hands to an agent: it says who is calling, is active at introspection, and is good for
 * nothing else. One per credential and agent, made again a minute before it ends.
 */
export async function upstreamTokenFor({ now, ...grant }: UpstreamGrant & { now: Date }): Promise<string> {
  const tokens = tokenCache();
  const { principal, credentialId, agent, clientId } = grant;
  const scopes = await findScopes(grant);
  const key = [principal, credentialId, agent.id, agent.ownerId, agent.slug, clientId, ...scopes].join(' ');
  const cached = tokens.get(key);
  if (cached && now.getTime() < cached.until) return cached.token;
  const token = issueToken({ ...grant, scopes, use: 'upstream' }, now).then((issued) => issued.token);
  token.catch(() => tokens.delete(key));
  recordAgentUse(grant, now);
  tokens.set(key, { token, until: now.getTime() + lifetimeMs - renewBeforeMs });
  return token;
}
