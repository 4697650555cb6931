import { findAgentById } from '../../catalog';

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
