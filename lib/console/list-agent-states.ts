import { getAgent, listOwnAgents } from '../catalog';
import type { OwnAgent } from '../catalog/schema';
import type { Ctx } from '../platform/context';
import { listRecentFailures } from './list-recent-failures';
import type { AgentState } from './schema';

/**
 * The person's listings, each with its latest failure and whether its card waits for a word.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function listAgentStates({ ctx }: { ctx: Ctx }): Promise<AgentState[]> {
  const agents = await listOwnAgents({ ctx });
  return Promise.all(agents.map((agent) => stateOf(ctx, agent)));
}

async function stateOf(ctx: Ctx, agent: OwnAgent): Promise<AgentState> {
  const [failures, cardWaits] = await Promise.all([listRecentFailures(agent.id, 1), hasPendingCard(ctx, agent)]);
  return { agent, lastFailure: failures[0] ?? null, cardWaits };
}

async function hasPendingCard(ctx: Ctx, { slug, status }: OwnAgent): Promise<boolean> {
  if (status === 'withdrawn') return false;
  const { card } = await getAgent({ ctx, input: { slug } });
  return Boolean(card?.waiting);
}
