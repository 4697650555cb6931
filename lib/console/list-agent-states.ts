import { listOwnAgents } from '../catalog';
import type { Ctx } from '../platform/context';
import { callsOf } from './agent-calls';
import type { AgentState } from './schema';

/**
 * The person's listings, each with its latest failure.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function listAgentStates({ ctx }: { ctx: Ctx }): Promise<AgentState[]> {
  const agents = await listOwnAgents({ ctx });
  return Promise.all(
    agents.map(async (agent) => ({
      agent,
      lastFailure: (await callsOf(agent.id, { failed: true, limit: 1 }))[0] ?? null,
    })),
  );
}
