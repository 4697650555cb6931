import type { CallerActor } from '../platform/context';
import { invalidToken, missingScope } from './errors';
import { findActiveToken } from './find-active-token';

/**
 * Who calls the agent `slug` with this token. What the gateway hands to agents is refused: an agent can never act here
 * as its caller.
 * @throws {ParleyError} `invalid_token`, whatever is wrong with it; `insufficient_scope` without `agent:call`
 */
export async function verifyAgentToken(given: { token: string; slug: string; now: Date }): Promise<CallerActor> {
  const { caller, slug } = await identifyCaller(given);
  if (slug !== given.slug) throw invalidToken();
  return caller;
}

/**
 * Who calls with this token, and which agent it is for; for paths that do not tell the agent.
 * @throws {ParleyError} `invalid_token`, whatever is wrong with it; `insufficient_scope` without `agent:call`
 */
export async function identifyCaller(given: {
  token: string;
  now: Date;
}): Promise<{ caller: CallerActor; slug: string }> {
  const active = await findActiveToken(given.token, given.now);
  if (!active || active.claims.token_use) throw invalidToken();
  if (!active.scopes.includes('agent:call')) throw missingScope();
  const caller: CallerActor = {
    kind: 'caller',
    principal: active.principal,
    credentialId: active.credentialId,
    tokenId: active.claims.jti,
    agentId: active.agent.id,
    clientId: active.claims.client_id,
    scopes: active.scopes,
  };
  return { caller, slug: active.agent.slug };
}
