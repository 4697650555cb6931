import { type AgentRecord, findAgent, findAgentById } from '../../catalog';
import { consume } from '../../limits';
import type { Call } from '../../platform/context';
import { env } from '../../platform/runtime/env';
import { OAuthError, type TokenResponse } from '../../protocol/oauth/authorization-server';
import { type AgentTokenClaims, readAgentToken } from '../../protocol/oauth/jwt-access-tokens';
import type { PresentedProof } from '../../protocol/oauth/requests';
import { audienceOf, credentialOf, isWithinLifetime, newTokenId } from '../agent-tokens/agent-token-format';
import { findTarget, issueToken, subjectOf, toTokenResponse } from '../agent-tokens/issue-token';
import { readScopes, requireApp } from '../authorization';
import { findActiveCredential } from '../credentials/credentials';
import { isRevoked } from '../credentials/revoked-tokens';
import { refuse } from '../errors';
import { signJwt, verifySignature } from '../keys/keys';
import { requireDpopProof } from '../keys/verify-dpop-proof';
import { AGENT_TOKEN_TTL_SECONDS } from '../limits';
import { HANDSHAKE_LIMIT } from '../rate-limits';

/**
 * Handles the client credentials grant (RFC 6749 §4.4): issues a token with which an app calls an agent on its own
 * behalf, so that the app owns the tasks. The token is valid only while the app's secret is valid. With the scope
 * `agent:serve`, it is a token for the app's workers.
 * @throws {OAuthError} `invalid_target`, `invalid_scope`, `unauthorized_client`
 * @throws {ParleyError} `rate_limited`, `invalid_dpop_proof`, `use_dpop_nonce`
 */
export async function issueClientToken({
  ctx,
  input,
}: Call<{ scope?: string; resource?: string; audience?: string; proof?: PresentedProof }>): Promise<TokenResponse> {
  if (input.scope === SERVE_SCOPE) return issueServeToken({ ctx, input });
  const { appId, clientId, credentialId } = requireApp(ctx.actor);
  await consume(HANDSHAKE_LIMIT, appId, ctx.now);
  const agent = await findTarget(appId, input);
  const scopes = readScopes(input.scope, ['agent:call']);
  const jkt = input.proof && (await requireDpopProof(input.proof, ctx));
  return toTokenResponse(await issueToken({ principal: appId, credentialId, agent, clientId, scopes, jkt }, ctx.now));
}

/** The scope of a token with which an app's workers connect for one agent. */
const SERVE_SCOPE = 'agent:serve';

/** Returns the only audience of a serve token. */
function serveAudienceOf(slug: string): string {
  return `${audienceOf(slug)}/hub`;
}

/**
 * Handles the client credentials grant with the scope `agent:serve`: issues a token with which the app's workers
 * connect for its agent. Only the hub accepts it.
 * @throws {OAuthError} `invalid_target` for an agent of another app, `unauthorized_client`
 * @throws {ParleyError} `rate_limited`
 */
async function issueServeToken({ ctx, input }: Call<{ resource?: string }>): Promise<TokenResponse> {
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

/**
 * Returns the agent, app and credential of a token with the scope `agent:serve` that is valid at `now`; otherwise null.
 */
export async function findServeToken(
  token: string,
  now: Date,
): Promise<{ agent: AgentRecord; appId: string; credentialId: string } | null> {
  const read = readAgentToken(token);
  if (read?.claims.token_use !== 'serve') return refuse('malformed');
  const { claims } = read;
  if (claims.iss !== env().APP_URL) return refuse('issuer');
  const credentialId = credentialOf(claims.jti);
  if (credentialId === null) return refuse('token_id');
  if (!isWithinLifetime(claims, Math.floor(now.getTime() / 1000))) return refuse('lifetime');
  if (!(await verifySignature(read.signed, { ...read, source: credentialId, now }))) return refuse('signature');
  if (await isRevoked(claims.jti, now)) return refuse('revoked');
  const credential = await findActiveCredential(credentialId, now);
  const agent = await findAgentById(claims.agent_id);
  if (!credential) return refuse('credential_ended');
  if (!agent || claims.aud !== serveAudienceOf(agent.slug)) return refuse('audience');
  if (agent.appId !== credential.principal) return refuse('agent_unavailable');
  return { agent, appId: credential.principal, credentialId };
}
