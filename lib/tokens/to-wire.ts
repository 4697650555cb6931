import type { AgentTokenClaims } from '../protocol/oauth/agent-token';
import type { ActiveToken } from '../protocol/oauth/introspection';
import type { AccessTokenView, AppSecretView, AppView } from './schema';
import type { AccessTokenRecord } from './store/access-tokens';
import type { AppRecord, AppSecretRecord } from './store/apps';

export function toAccessTokenView(token: AccessTokenRecord): AccessTokenView {
  const { id, name, prefix, scopes, createdAt, expiresAt, lastUsedAt } = token;
  return {
    id,
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
export function toActiveToken(claims: AgentTokenClaims): ActiveToken {
  const { iss, sub, aud, client_id, agent_id, agent_slug, scope, exp, iat, jti } = claims;
  return { active: true, iss, sub, aud, client_id, agent_id, agent_slug, scope, token_type: 'Bearer', exp, iat, jti };
}
