import { type AgentRecord, findAgent, findAgentById } from '../../catalog';
import { authorize } from '../../identity';
import type { Call, Ctx } from '../../platform/context';
import { listRecentAgents, mayCall } from '../../tokens';
import { findCallableAgent } from '../answers/send-to-agent';
import { MAX_MODELS } from '../limits';
import type { Model } from '../schema-openai';

const CONCIERGE = 'concierge';

/**
 * Lists the concierge and the agents that the user has used, most recently used first. Does not list the whole market.
 */
export async function listModels({ ctx }: { ctx: Ctx }): Promise<Model[]> {
  const user = authorize(ctx.actor, { hostScope: 'agents:read' });
  const used = await Promise.all((await listRecentAgents(user.userId)).map((id) => findAgentById(id)));
  const agents = [await findAgent(CONCIERGE), ...used].filter((agent) => agent !== null);
  const callable = agents.filter((agent) => mayCall(user.userId, agent));
  const unique = callable.filter(({ id }, at) => callable.findIndex((other) => other.id === id) === at);
  return unique.slice(0, MAX_MODELS).map(toModel);
}

/**
 * Returns any agent that the user may call.
 * @throws {ParleyError} `agent_not_found`
 */
export async function getModel({ ctx, input }: Call<{ model: string }>): Promise<Model> {
  const user = authorize(ctx.actor, { hostScope: 'agents:read' });
  return toModel(await findCallableAgent(user, input.model, 'model'));
}

function toModel({ slug, createdAt, card }: AgentRecord): Model {
  const created = Math.floor(createdAt.getTime() / 1000);
  return { id: slug, object: 'model', created, owned_by: card.provider?.organization ?? 'parley' };
}
