import { findAgent, findAgentById } from '../../catalog';

/** Returns an agent's slug and name. A deleted agent has its id instead. */
export async function toAgentName(agentId: string): Promise<{ slug: string; name: string }> {
  const agent = await findAgentById(agentId);
  return agent ? { slug: agent.slug, name: agent.name } : { slug: agentId, name: agentId };
}

/** Returns the slugs and names of these agents for a selection list, sorted by name. */
export async function toAgentNames(agentIds: string[]): Promise<{ slug: string; name: string }[]> {
  const agents = await Promise.all(agentIds.map(toAgentName));
  return agents.sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

/**
 * Returns the agent id for a filter's `agent`, which is a slug, or the id that orders contain for a deleted agent;
 * undefined without a filter. Other texts match no order.
 */
export async function agentIdOfFilter(agent: string | undefined): Promise<string | undefined> {
  if (agent === undefined || /^agt_[0-9a-z]{1,30}$/.test(agent)) return agent;
  return (await findAgent(agent))?.id ?? 'agt_unknown';
}
