import { findAgent } from '../catalog';
import { consume } from '../limits';
import type { Ctx } from '../platform/context';
import { AGENT_TOKEN_SECONDS } from '../protocol/oauth/agent-token';
import { audienceOf } from './audience';
import { clientIdOfUser } from './client-of-user';
import { invalidTarget } from './errors';
import { findScopes, noteAgentUse } from './grants';
import { issueToken } from './issue-token';
import { HANDSHAKE_LIMIT } from './limits';
import { mayCall, requireUser } from './policy';
import type { Handshake, HandshakeRequest } from './schema';

/**
 * Gives the person a token for one agent, good for 15 minutes and only while the session or access token behind it is.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `rate_limited`; `invalid_target` alike for agents that
 *   are unknown, private to another, suspended or withdrawn
 */
export async function handshake({ ctx, input }: { ctx: Ctx; input: HandshakeRequest }): Promise<Handshake> {
  const user = requireUser(ctx.actor, 'handshake');
  await consume(HANDSHAKE_LIMIT, user.userId, ctx.now);
  const agent = await findAgent(input.agentSlug);
  if (!agent || !mayCall(user.userId, agent)) throw invalidTarget();
  const grant = { principal: user.userId, credentialId: user.credential.id, agent, clientId: clientIdOfUser(user) };
  const { token, claims } = await issueToken({ ...grant, scopes: await findScopes(grant) }, ctx.now);
  noteAgentUse(grant, ctx.now);
  return {
    token,
    tokenType: 'Bearer',
    agentUrl: audienceOf(agent.slug),
    expiresAt: new Date(claims.exp * 1000).toISOString(),
    expiresIn: AGENT_TOKEN_SECONDS,
    scope: claims.scope,
  };
}
