import type { AgentRecord } from '../catalog';
import type { AgentTokenClaims } from '../protocol/oauth/agent-token';
import type { GenericTokenClaims } from '../protocol/oauth/generic-token';
import type { ActiveGenericToken, ActiveToken } from '../protocol/oauth/introspection';
import type { TokenResponse, TokenType } from '../protocol/oauth/token-response';
import type { ActiveAgentToken } from './find-active-token';
import type { AccessTokenView, AgentGrantView, AppSecretView, AppView } from './schema';
import type { AccessTokenRecord } from './store/access-tokens';
import type { AppRecord, AppSecretRecord } from './store/apps';
import type { AgentGrantRecord } from './store/grants';

export function toAccessTokenView(token: AccessTokenRecord): AccessTokenView {
  const { id, name, prefix, scopes, createdAt, expiresAt, lastUsedAt, generation } = token;
  return {
    id,
    kind: generation === null ? 'personal' : 'device',
    name,
    prefix,
    scopes,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}

export function toAppView({ id, name, clientId, createdAt, secrets }: AppRecord): AppView {
  return { id, name, clientId, createdAt: createdAt.toISOString(), secrets: secrets.map(toSecretView) };
}

function toSecretView({ id, prefix, createdAt, lastUsedAt, expiresAt }: AppSecretRecord): AppSecretView {
  return {
    id,
    prefix,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}

/** What introspection tells of an active token (INT-9): which kind of use it is for stays between us and the agent. */
export function toActiveToken(
  { claims, scopes }: ActiveAgentToken,
  person: { email?: string; name?: string },
): ActiveToken {
  const { iss, sub, aud, client_id, agent_id, agent_slug, exp, iat, jti, act, cnf } = claims;
  const scope = scopes.join(' ');
  const standard = {
    iss,
    sub,
    aud,
    client_id,
    agent_id,
    agent_slug,
    scope,
    token_type: tokenTypeOf(claims),
    exp,
    iat,
    jti,
  };
  return { active: true, ...standard, ...person, ...(act && { act }), ...(cnf && { cnf }) };
}

/** How a token is shown: a bound one with a proof (RFC 9449 §7.1). */
export function tokenTypeOf({ cnf }: Pick<AgentTokenClaims, 'cnf'>): TokenType {
  return cnf ? 'DPoP' : 'Bearer';
}

/** The same of a generic token, which is for no agent. */
export function toActiveGeneric({ iss, sub, aud, client_id, exp, iat, jti }: GenericTokenClaims): ActiveGenericToken {
  return { active: true, iss, sub, aud, client_id, token_type: 'Bearer', exp, iat, jti };
}

/** An agent token as the token endpoint gives it out. */
export function toTokenResponse({ token, claims }: { token: string; claims: AgentTokenClaims }): TokenResponse {
  return {
    access_token: token,
    token_type: tokenTypeOf(claims),
    expires_in: claims.exp - claims.iat,
    scope: claims.scope,
  };
}

export function toGrantView(grant: AgentGrantRecord, agent: AgentRecord): AgentGrantView {
  return {
    agent: { slug: agent.slug, name: agent.name, open: agent.status === 'active' || agent.status === 'deprecated' },
    scopes: grant.scopes,
    createdAt: grant.createdAt.toISOString(),
    lastUsedAt: grant.lastUsedAt?.toISOString() ?? null,
  };
}
