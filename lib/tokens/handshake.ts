import { findAgent } from '../catalog';
import { consume } from '../limits';
import type { Ctx } from '../platform/context';
import { AGENT_TOKEN_TTL_SECONDS } from '../protocol/oauth/agent-token';
import type { PresentedProof } from '../protocol/oauth/dpop';
import { extensionsToActivate } from '../protocol/supported-extensions';
import { audienceOf } from './audience';
import { defaultClientId } from './default-client-id';
import { invalidTarget } from './errors';
import { findScopes, recordAgentUse } from './grants';
import { issueToken } from './issue-token';
import { mayCall, requireUser } from './policy';
import { HANDSHAKE_LIMIT } from './rate-limits';
import { requireDpopProof } from './require-dpop-proof';
import type { Handshake, HandshakeRequest } from './schema';
import { tokenTypeOf } from './to-wire';

/**
 * Gives the person a token for one agent, good for 15 minutes and only while the session or access token behind it is;
 * with a proof of possession, bound to its key.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `rate_limited`, `invalid_dpop_proof`, `use_dpop_nonce`; `invalid_target` alike for agents that
 *   are unknown, private to another, suspended or withdrawn
 */
export async function handshake({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: HandshakeRequest & { proof?: PresentedProof };
}): Promise<Handshake> {
  const user = requireUser(ctx.actor, 'handshake');
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
