import { onGap, subscribe } from '../platform/bus';
import { NewestMap } from '../platform/newest-map';
import { shared } from '../platform/registry';
import { findScopes, noteAgentUse } from './grants';
import { issueToken, type TokenGrant } from './issue-token';

interface Kept {
  token: Promise<string>;
  /** Milliseconds since 1970 from which a new one is made. */
  until: number;
}

type UpstreamGrant = Pick<TokenGrant, 'principal' | 'credentialId' | 'agent' | 'clientId'>;

const maxKept = 10_000;
/** An agent gets at least this long to check who is calling. */
const leftMs = 60_000;
const lifeMs = 900_000;

function kept(): Map<string, Kept> {
  return shared('upstream-tokens', () => {
    const tokens = new NewestMap<string, Kept>(maxKept);
    subscribe('keys', '*', () => tokens.clear());
    onGap(() => tokens.clear());
    return tokens;
  });
}

/**
 * The token that the gateway hands to an agent: it says who is calling, is active at introspection, and is good for
 * nothing else. One per credential and agent, made again a minute before it ends.
 */
export async function upstreamTokenFor({ now, ...grant }: UpstreamGrant & { now: Date }): Promise<string> {
  const tokens = kept();
  const { principal, credentialId, agent, clientId } = grant;
  const scopes = await findScopes(grant);
  const key = [principal, credentialId, agent.id, agent.ownerId, agent.slug, clientId, ...scopes].join(' ');
  const known = tokens.get(key);
  if (known && now.getTime() < known.until) return known.token;
  const token = issueToken({ ...grant, scopes, use: 'upstream' }, now).then((issued) => issued.token);
  token.catch(() => tokens.delete(key));
  noteAgentUse(grant, now);
  tokens.set(key, { token, until: now.getTime() + lifeMs - leftMs });
  return token;
}
