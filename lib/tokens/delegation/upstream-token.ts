import type { AgentRecord } from '../../catalog';
import { onConnectionGap, subscribe } from '../../platform/bus';
import { ExpiringCache } from '../../platform/cache';
import { once } from '../../platform/runtime/once';
import { issueToken, type TokenGrant } from '../agent-tokens/issue-token';
import { findActiveCredential } from '../credentials/credentials';
import { findScopes, recordAgentUse } from '../credentials/grants';
import { AGENT_TOKEN_TTL_SECONDS, UPSTREAM_TOKEN_CACHE_SIZE, UPSTREAM_TOKEN_RENEWAL_MS } from '../limits';

interface CachedToken {
  token: Promise<string>;
  /** The time at which the token is replaced, milliseconds since 1970. */
  until: number;
}

type UpstreamGrant = Pick<TokenGrant, 'principal' | 'credentialId' | 'agent' | 'clientId'>;

const tokenCache = once((): ExpiringCache<CachedToken> => {
  const tokens = new ExpiringCache<CachedToken>(UPSTREAM_TOKEN_CACHE_SIZE, ({ until }) => until);
  subscribe('keys', '*', () => tokens.clear());
  onConnectionGap(() => tokens.clear());
  return tokens;
});

/**
 * Returns the token that the gateway sends to an agent. It identifies the caller and is active at introspection, but
 * Parley does not accept it as a credential. One token exists per credential and agent; it is replaced a minute before
 * it expires.
 */
export async function upstreamTokenFor({ now, ...grant }: UpstreamGrant & { now: Date }): Promise<string> {
  const tokens = tokenCache();
  const { principal, credentialId, agent, clientId } = grant;
  const scopes = await findScopes(grant);
  const key = [principal, credentialId, agent.id, agent.ownerId, agent.slug, clientId, ...scopes].join(' ');
  const cached = tokens.get(key, now.getTime());
  if (cached) return cached.token;
  const token = issueToken({ ...grant, scopes, use: 'upstream' }, now).then((issued) => issued.token);
  token.catch(() => tokens.delete(key));
  recordAgentUse(grant, now);
  const until = now.getTime() + AGENT_TOKEN_TTL_SECONDS * 1000 - UPSTREAM_TOKEN_RENEWAL_MS;
  tokens.set(key, { token, until }, now.getTime());
  return token;
}

/** The owner of a task, and the credential that created it. */
interface TaskOwner {
  principal: string;
  credentialId: string;
  clientId: string;
}

/**
 * Returns the token for calling an agent about a task. If the credential that created the task is no longer valid, the
 * token is issued from the principal itself.
 */
export async function upstreamTokenForTask(task: TaskOwner, agent: AgentRecord, now: Date): Promise<string> {
  const { principal, clientId } = task;
  return upstreamTokenFor({ principal, credentialId: await credentialOfTask(task, now), agent, clientId, now });
}

/**
 * Returns the credential for calls about a task: the one that created it, or the principal if that is no longer valid.
 * A delegation has no fallback, because an agent that may no longer act for the user must not be treated as the user.
 */
export async function credentialOfTask(
  { credentialId, principal }: Pick<TaskOwner, 'credentialId' | 'principal'>,
  now: Date,
): Promise<string> {
  if (credentialId.startsWith('dlg_') || (await findActiveCredential(credentialId, now))) return credentialId;
  return principal;
}
