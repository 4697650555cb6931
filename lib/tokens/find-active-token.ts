import { type AgentRecord, findAgentById } from '../catalog';
import type { AgentScope } from '../platform/context';
import { type AgentTokenClaims, isWithinLifetime } from '../protocol/oauth/agent-token';
import { audienceOf } from './audience';
import { findScopes } from './grants';
import { isCredentialActive } from './is-credential-active';
import { mayCall } from './policy';
import { isRevoked } from './revoked-tokens';
import { findVerifiedToken } from './verified-token-cache';

/** A token that is good at this moment, and what it stands for. */
export interface ActiveAgentToken {
  claims: AgentTokenClaims;
  credentialId: string;
  principal: string;
  agent: AgentRecord;
  /** Those of the token that hold at this moment: grants may have been taken back since. */
  scopes: AgentScope[];
}

/**
 * The token when everything it depends on holds at `now`: signature, time, its own id, the session or access token it
 * came from, the person, the agent, and that this person may call it. Else null, without a reason.
 */
export async function findActiveToken(token: string, now: Date): Promise<ActiveAgentToken | null> {
  const verified = await findVerifiedToken(token, now);
  if (!verified) return null;
  const { claims, credentialId } = verified;
  if (!isWithinLifetime(claims, Math.floor(now.getTime() / 1000))) return null;
  if (await isRevoked(claims.jti, now)) return null;
  const credential = await isCredentialActive(credentialId, now);
  if (!credential) return null;
  const agent = await findAgentById(claims.agent_id);
  const { principal } = credential;
  if (!agent || claims.aud !== audienceOf(agent.slug) || !mayCall(principal, agent)) return null;
  const scopes = await activeScopes(claims.scope, { principal, credentialId, agent });
  return { claims, credentialId, principal, agent, scopes };
}

async function activeScopes(text: string, of: Parameters<typeof findScopes>[0]): Promise<AgentScope[]> {
  if (text === 'agent:call') return ['agent:call'];
  const named = text.split(' ');
  return (await findScopes(of)).filter((scope) => named.includes(scope));
}
