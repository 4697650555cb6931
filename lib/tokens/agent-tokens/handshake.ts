import { findAgent } from '../../catalog';
import { authorize } from '../../identity';
import { consume } from '../../limits';
import type { Call, Ctx } from '../../platform/context';
import { env } from '../../platform/runtime/env';
import { extensionsToActivate } from '../../protocol/extensions';
import type { GenericTokenClaims } from '../../protocol/oauth/jwt-access-tokens';
import type { PresentedProof } from '../../protocol/oauth/requests';
import { mayCall } from '../authorization';
import { defaultClientId } from '../credentials/authenticate-clients';
import { findScopes, recordAgentUse } from '../credentials/grants';
import { invalidTarget } from '../errors';
import { signJwt } from '../keys/keys';
import { requireDpopProof } from '../keys/verify-dpop-proof';
import { AGENT_TOKEN_TTL_SECONDS } from '../limits';
import { HANDSHAKE_LIMIT } from '../rate-limits';
import type { GenericToken, Handshake, HandshakeRequest } from '../schema';
import { audienceOf, newTokenId } from './agent-token-format';
import { issueToken, subjectOf, tokenTypeOf } from './issue-token';

/**
 * Issues a token for one agent to the user. It is valid for 15 minutes and only while the session or access token of
 * the request is valid. With a DPoP proof, it is bound to the proof's key.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `rate_limited`, `invalid_dpop_proof`,
 *   `use_dpop_nonce`; `invalid_target` for agents that are unknown, private to others, suspended or withdrawn
 */
export async function handshake({
  ctx,
  input,
}: Call<HandshakeRequest & { proof?: PresentedProof }>): Promise<Handshake> {
  const user = authorize(ctx.actor, { scope: 'handshake' });
  await consume(HANDSHAKE_LIMIT, user.userId, ctx.now);
  const agent = await findAgent(input.agentSlug);
  if (!agent || !mayCall(user.userId, agent)) throw invalidTarget();
  const grant = { principal: user.userId, credentialId: user.credential.id, agent, clientId: defaultClientId(user) };
  const jkt = input.proof && (await requireDpopProof(input.proof, ctx));
  const { token, claims } = await issueToken({ ...grant, jkt, scopes: await findScopes(grant) }, ctx.now);
  recordAgentUse(grant, ctx.now);
  const extensions = extensionsToActivate(agent.card);
  return {
    token,
    tokenType: tokenTypeOf(claims),
    agentUrl: audienceOf(agent.slug),
    expiresAt: new Date(claims.exp * 1000).toISOString(),
    expiresIn: AGENT_TOKEN_TTL_SECONDS,
    scope: claims.scope,
    ...(extensions.length > 0 && { extensions }),
  };
}

/**
 * Issues a token without an agent as audience, as Web42 does for agents under development that are called directly. No
 * endpoint of Parley accepts it; introspection reports it as active only to apps of the same user.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `rate_limited`
 */
export async function issueGenericToken({ ctx }: { ctx: Ctx }): Promise<GenericToken> {
  const user = authorize(ctx.actor, { scope: 'handshake' });
  await consume(HANDSHAKE_LIMIT, user.userId, ctx.now);
  const iat = Math.floor(ctx.now.getTime() / 1000);
  const exp = iat + AGENT_TOKEN_TTL_SECONDS;
  const issuer = env().APP_URL;
  const claims: GenericTokenClaims = {
    iss: issuer,
    sub: subjectOf({ principal: user.userId, agent: { ownerId: user.userId } }),
    aud: issuer,
    client_id: defaultClientId(user),
    iat,
    exp,
    jti: newTokenId(user.credential.id),
    token_use: 'generic',
  };
  return {
    token: await signJwt('at+jwt', claims, ctx.now),
    tokenType: 'Bearer',
    expiresAt: new Date(exp * 1000).toISOString(),
    expiresIn: AGENT_TOKEN_TTL_SECONDS,
  };
}
