import { type AgentRecord, findAgent, findAgentById } from '../../catalog';
import { consume } from '../../limits';
import type { Ctx } from '../../platform/context';
import { env } from '../../platform/runtime/env';
import { OAuthError, type TokenResponse } from '../../protocol/oauth/authorization-server';
import { type AgentTokenClaims, readAgentToken } from '../../protocol/oauth/jwt-access-tokens';
import { isCredentialActive } from '../access-tokens/credentials';
import { audienceOf } from '../agent-tokens/audience';
import { subjectOf, toTokenResponse } from '../agent-tokens/issue-token';
import { isRevoked } from '../agent-tokens/revoked-tokens';
import { credentialOf, newTokenId } from '../agent-tokens/token-id';
import { isWithinLifetime } from '../agent-tokens/token-lifetime';
import { requireApp } from '../authorization';
import { signJwt, verifySignature } from '../keys/keys';
import { AGENT_TOKEN_TTL_SECONDS } from '../limits';
import { HANDSHAKE_LIMIT } from '../rate-limits';

/** The scope of a token with which an app's workers connect for one agent. */
export const SERVE_SCOPE = 'agent:serve';

/** The only audience of such a token. */
function serveAudienceOf(slug: string): string {
  return `${audienceOf(slug)}/hub`;
}

/**
 * Client credentials grant with the scope `agent:serve`: a token for the app's workers to connect for its agent. Only
 * the hub accepts it.
 * @throws {OAuthError} `invalid_target` for an agent of another app, `unauthorized_client`
 * @throws {ParleyError} `rate_limited`
 */
export async function issueServeToken({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { resource?: string };
}): Promise<TokenResponse> {
  const { appId, clientId, credentialId } = requireApp(ctx.actor);
  await consume(HANDSHAKE_LIMIT, appId, ctx.now);
  const agent = await findServedAgent(appId, input.resource);
  const iat = Math.floor(ctx.now.getTime() / 1000);
  const claims: AgentTokenClaims = {
    iss: env().APP_URL,
    sub: subjectOf({ principal: appId, agent }),
    aud: serveAudienceOf(agent.slug),
    client_id: clientId,
    agent_id: agent.id,
    agent_slug: agent.slug,
    scope: SERVE_SCOPE,
    iat,
    exp: iat + AGENT_TOKEN_TTL_SECONDS,
    jti: newTokenId(credentialId),
    token_use: 'serve',
  };
  return toTokenResponse({ token: await signJwt('at+jwt', claims, ctx.now), claims });
}

async function findServedAgent(appId: string, resource = ''): Promise<AgentRecord> {
  const slug = /\/agents\/([\w-]+)\/hub$/.exec(resource)?.[1] ?? '';
  const agent = resource === serveAudienceOf(slug) ? await findAgent(slug) : null;
  if (agent?.appId === appId) return agent;
  throw new OAuthError(
    'invalid_target',
    `Expected "resource" to be an agent of this app: ${serveAudienceOf('{slug}')}.`,
  );
}

/** The agent, app and credential of a token with the scope `agent:serve` that is valid at `now`; otherwise null. */
export async function findServeToken(
  token: string,
  now: Date,
): Promise<{ agent: AgentRecord; appId: string; credentialId: string } | null> {
  const read = readAgentToken(token);
  if (read?.claims.token_use !== 'serve' || read.claims.iss !== env().APP_URL) return null;
  const { claims } = read;
  const credentialId = credentialOf(claims.jti);
  if (credentialId === null || !isWithinLifetime(claims, Math.floor(now.getTime() / 1000))) return null;
  if (
    !(await verifySignature(read.signed, { ...read, source: credentialId, now })) ||
    (await isRevoked(claims.jti, now))
  )
    return null;
  const credential = await isCredentialActive(credentialId, now);
  const agent = await findAgentById(claims.agent_id);
  if (!credential || !agent || claims.aud !== serveAudienceOf(agent.slug)) return null;
  return agent.appId === credential.principal ? { agent, appId: credential.principal, credentialId } : null;
}
