import type { AgentRecord } from '../catalog';
import { BoundedMap } from '../platform/bounded-map';
import type { AgentScope } from '../platform/context';
import { hmac } from '../platform/crypto';
import { env } from '../platform/env';
import { processSingleton } from '../platform/singleton';
import { AGENT_TOKEN_TTL_SECONDS, type AgentTokenClaims, writeAgentToken } from '../protocol/oauth/agent-token';
import { audienceOf } from './audience';
import { actorClaimOf } from './delegation';
import { findSigner } from './keys';
import { newTokenId } from './token-id';
import { userClaims } from './user-claims';

/** For whom, from what and for which agent a token is made. */
export interface TokenGrant {
  /** Owner of the tasks: `usr_…` or `app_…`. */
  principal: string;
  /** The session, access token, app secret or delegation that the token lives and dies with. */
  credentialId: string;
  agent: AgentRecord;
  clientId: string;
  scopes: AgentScope[];
  /** Set for what the gateway hands to the agent. */
  use?: 'upstream';
  /** Binds the token to a key (RFC 9449 §6). */
  jkt?: string;
  /** The token ends then at the latest, seconds since 1970. */
  notAfter?: number;
}

/** Signs a token of 900 seconds (RFC 9068; TOK-1). Nothing is stored: only revoked ids ever are. */
export async function issueToken(grant: TokenGrant, now: Date): Promise<{ token: string; claims: AgentTokenClaims }> {
  const claims = await claimsOf(grant, now);
  const signer = await findSigner('token', now);
  const text = writeAgentToken(signer.kid, claims);
  return { token: `${text}.${signer.sign(text).toString('base64url')}`, claims };
}

async function claimsOf(grant: TokenGrant, now: Date): Promise<AgentTokenClaims> {
  const act = await actorClaimOf(grant.credentialId);
  const iat = Math.floor(now.getTime() / 1000);
  return {
    iss: env().APP_URL,
    sub: subjectOf(grant),
    aud: audienceOf(grant.agent.slug),
    client_id: grant.clientId,
    agent_id: grant.agent.id,
    agent_slug: grant.agent.slug,
    scope: grant.scopes.join(' '),
    iat,
    exp: Math.min(iat + AGENT_TOKEN_TTL_SECONDS, grant.notAfter ?? Number.POSITIVE_INFINITY),
    jti: newTokenId(grant.credentialId),
    ...(await userClaims(grant.principal, grant.scopes)),
    ...(act && { act }),
    ...(grant.use && { token_use: grant.use }),
    ...(grant.jkt && { cnf: { jkt: grant.jkt } }),
  };
}

/** Stable per person and per agent owner: two developers cannot join their users. */
export function subjectOf({ principal, agent }: { principal: string; agent: { ownerId: string } }): string {
  return hmac('pairwise', `${principal} ${agent.ownerId}`);
}

/** The `sub` of a token of our own making; nothing is checked. Of the latest tokens it is remembered. */
export function readSubject(token: string): string {
  const subjects = processSingleton('token-subjects', () => new BoundedMap<string, string>(1_000));
  const cached = subjects.get(token);
  if (cached !== undefined) return cached;
  const subject = parseSubject(token);
  subjects.set(token, subject);
  return subject;
}

function parseSubject(token: string): string {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as { sub: string };
  return claims.sub;
}
