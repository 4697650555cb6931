import { type AgentRecord, findAgentById } from '../catalog';
import { env } from '../platform/env';
import type { AgentScope } from '../platform/scopes';
import { CLOCK_SKEW_SECONDS } from '../protocol/limits';
import { type AgentTokenClaims, type GenericTokenClaims, readGenericToken } from '../protocol/oauth/jwt-access-tokens';
import { audienceOf } from './audience';
import { mayCall } from './authorization';
import { isCredentialActive } from './credentials';
import { findScopes } from './grants';
import { verifySignature } from './keys';
import { AGENT_TOKEN_TTL_SECONDS } from './limits';
import { isRevoked } from './revoked-tokens';
import { credentialOf } from './token-id';
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

/**
 * The token if everything it depends on is valid at `now`: signature, time, its own id, the credential it was issued
 * from, the user, the agent, and that this user may call it. Else null, without a reason.
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

async function activeScopes(text: string, grant: Parameters<typeof findScopes>[0]): Promise<AgentScope[]> {
  if (text === 'agent:call') return ['agent:call'];
  const named = text.split(' ');
  return (await findScopes(grant)).filter((scope) => named.includes(scope));
}

/** True while the token is valid and its lifetime does not exceed the maximum. `now` in seconds. */
export function isWithinLifetime(claims: Pick<AgentTokenClaims, 'iat' | 'nbf' | 'exp'>, now: number): boolean {
  if (claims.exp <= now || claims.exp > now + AGENT_TOKEN_TTL_SECONDS + CLOCK_SKEW_SECONDS) return false;
  if (claims.iat > now + CLOCK_SKEW_SECONDS) return false;
  return claims.nbf === undefined || claims.nbf <= now + CLOCK_SKEW_SECONDS;
}

/** A user's generic token (for no particular agent) and its user, if it and its credential are valid; else null. */
export async function findActiveGenericToken(
  token: string,
  now: Date,
): Promise<{ claims: GenericTokenClaims; userId: string } | null> {
  const read = readGenericToken(token);
  if (!read || read.claims.iss !== env().APP_URL || !isWithinLifetime(read.claims, Math.floor(now.getTime() / 1000)))
    return null;
  const credentialId = credentialOf(read.claims.jti);
  if (credentialId === null || !(await verifySignature(read.signed, { ...read, now }))) return null;
  if (await isRevoked(read.claims.jti, now)) return null;
  const credential = await isCredentialActive(credentialId, now);
  return credential && { claims: read.claims, userId: credential.principal };
}
