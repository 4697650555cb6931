import { type AgentRecord, findAgentByUrl } from '../../catalog';
import { authorize } from '../../identity';
import { consume } from '../../limits';
import type { CallerActor, Ctx, GuestActor, UserActor } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { env } from '../../platform/runtime/env';
import type { HostScope } from '../../platform/scopes';
import { mayCall } from '../authorization';
import { defaultClientId } from '../credentials/authenticate-clients';
import { MAX_QUOTED_AGENT_URL } from '../limits';
import { CALLS_BY_URL_LIMIT } from '../rate-limits';

/**
 * Returns the user or guest as a caller of this agent at the gateway, with their session or access token as credential.
 */
export function callerOf(user: UserActor | GuestActor, agent: Pick<AgentRecord, 'id'>): CallerActor {
  return {
    kind: 'caller',
    principal: user.userId,
    credentialId: user.credential.id,
    agentId: agent.id,
    clientId: defaultClientId(user),
    scopes: ['agent:call'],
  };
}

/**
 * Returns the user if their credential permits calling agents or reading tasks without a token: it must permit tokens
 * for agents, or belong to a connected app with the scope.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `rate_limited`
 */
export async function authorizeCallsByUrl({
  ctx,
  hostScope = 'agents:call',
}: {
  ctx: Ctx;
  hostScope?: HostScope;
}): Promise<UserActor> {
  const user = authorize(ctx.actor, { hostScope });
  await consume(CALLS_BY_URL_LIMIT, user.userId, ctx.now);
  return user;
}

/**
 * Finds the listed agent at a URL if the user may call it. Makes no request to the URL.
 * @throws {ParleyError} `agent_not_found` for URLs that are not listed, and also for agents that are private to others,
 *   suspended or withdrawn
 */
export async function findAgentToCall(user: UserActor, url: string): Promise<AgentRecord> {
  const agent = await findAgentByUrl(url);
  if (agent && mayCall(user.userId, agent)) return agent;
  const expected = `${env().APP_URL}/agents/{slug}`;
  const text = `Found "${url.slice(0, MAX_QUOTED_AGENT_URL)}"; expected ${expected}, or the listed URL of an agent that you may call.`;
  throw new ParleyError('agent_not_found', text, { data: { expected } });
}
