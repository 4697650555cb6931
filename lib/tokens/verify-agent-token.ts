import type { AgentScope, CallerActor } from '../platform/context';
import { invalidToken } from './errors';
import { findActiveToken } from './find-active-token';

/**
 * Who calls the agent `slug` with this token. What the gateway hands to agents is refused: an agent can never act here
 * as its caller.
 * @throws {ParleyError} `invalid_token`, whatever is wrong with it
 */
export async function verifyAgentToken(given: { token: string; slug: string; now: Date }): Promise<CallerActor> {
  const active = await findActiveToken(given.token, given.now);
  if (!active || active.agent.slug !== given.slug || active.claims.token_use) throw invalidToken();
  return {
    kind: 'caller',
    principal: active.userId,
    credentialId: active.credentialId,
    agentId: active.agent.id,
    clientId: active.claims.client_id,
    scopes: active.claims.scope.split(' ') as AgentScope[],
  };
}
