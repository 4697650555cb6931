import { type AgentRecord, findAgentById } from '../../catalog';
import type { AgentScope } from '../../platform/scopes';
import type { AgentTokenClaims, GenericTokenClaims } from '../../protocol/oauth/jwt-access-tokens';
import { isCredentialActive } from '../access-tokens/credentials';
import { mayCall } from '../authorization';
import { findScopes } from '../oauth/grants';
import { audienceOf } from './audience';
import { isRevoked } from './revoked-tokens';
import { isWithinLifetime } from './token-lifetime';
import { findVerifiedToken } from './verified-token-cache';

/** A token that is valid now, with its principal and agent. */
export interface ActiveAgentToken {
  claims: AgentTokenClaims;
  credentialId: string;
  principal: string;
  agent: AgentRecord;
  /** The token's scopes that are still granted. */
  scopes: AgentScope[];
}

/** A valid user's token without a specific agent. */
export interface ActiveUserToken {
  claims: GenericTokenClaims;
  userId: string;
}

/**
 * The token if all its conditions hold at `now`: valid signature, time, own id, credential, user and agent, and the
 * user's permission to call the agent. Else null, without a reason.
 */
export async function findActiveToken(token: string, now: Date): Promise<ActiveAgentToken | null> {
  const active = await findActiveTokenOfAnyKind(token, now);
  return active && 'agent' in active ? active : null;
}

/** As {@link findActiveToken}, also for a user's generic token, which has no specific agent. */
export async function findActiveTokenOfAnyKind(
  token: string,
  now: Date,
): Promise<ActiveAgentToken | ActiveUserToken | null> {
  const verified = await findVerifiedToken(token, now);
  if (!verified) return null;
  const { claims, credentialId } = verified;
  if (!isWithinLifetime(claims, Math.floor(now.getTime() / 1000))) return null;
  if (await isRevoked(claims.jti, now)) return null;
  const credential = await isCredentialActive(credentialId, now);
  if (!credential) return null;
  const { principal } = credential;
  if (claims.token_use === 'generic') return { claims, userId: principal };
  const agent = await findAgentById(claims.agent_id);
  if (!agent || claims.aud !== audienceOf(agent.slug) || !mayCall(principal, agent)) return null;
  const scopes = await activeScopes(claims.scope, { principal, credentialId, agent });
  return { claims, credentialId, principal, agent, scopes };
}

async function activeScopes(text: string, grant: Parameters<typeof findScopes>[0]): Promise<AgentScope[]> {
  if (text === 'agent:call') return ['agent:call'];
  const named = text.split(' ');
  return (await findScopes(grant)).filter((scope) => named.includes(scope));
}
