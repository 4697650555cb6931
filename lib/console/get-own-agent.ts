import { listOwnAgents } from '../catalog';
import type { Ctx } from '../platform/context';
import { failedCallsOf } from './failed-calls';
import type { AgentConsole } from './schema';

const shownFailures = 20;

/**
 * One of the person's own listings with its latest failures; null for unknown and foreign agents alike.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function getOwnAgent(call: { ctx: Ctx; input: { slug: string } }): Promise<AgentConsole | null> {
  const agent = (await listOwnAgents(call)).find(({ slug }) => slug === call.input.slug);
  return agent ? { agent, failures: await failedCallsOf(agent.id, shownFailures) } : null;
}
