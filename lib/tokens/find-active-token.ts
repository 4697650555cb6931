import { type AgentRecord, findAgentById } from '../catalog';
import { type AgentTokenClaims, isInTime } from '../protocol/oauth/agent-token';
import { isCredentialActive } from './is-credential-active';
import { audienceOf } from './issue-token';
import { mayCall } from './policy';
import { isRevoked } from './revoked-tokens';
import { findVerifiedToken } from './verified-tokens';

/** A token that is good at this moment, and what it stands for. */
export interface ActiveAgentToken {
  claims: AgentTokenClaims;
  credentialId: string;
  userId: string;
  agent: AgentRecord;
}

/**
 * The token when everything it depends on holds at `now`: signature, time, its own id, the session or access token it
 * came from, the person, the agent, and that this person may call it. Else null, without a reason.
 */
export async function findActiveToken(token: string, now: Date): Promise<ActiveAgentToken | null> {
  const verified = await findVerifiedToken(token, now);
  if (!verified) return null;
  const { claims, credentialId } = verified;
  if (!isInTime(claims, Math.floor(now.getTime() / 1000))) return null;
  if (await isRevoked(claims.jti, now)) return null;
  const credential = await isCredentialActive(credentialId, now);
  if (!credential) return null;
  const agent = await findAgentById(claims.agent_id);
  if (!agent || claims.aud !== audienceOf(agent.slug) || !mayCall(credential.userId, agent)) return null;
  return { claims, credentialId, userId: credential.userId, agent };
}
