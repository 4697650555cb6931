import { listOwnAgents } from '../catalog';
import type { Ctx } from '../platform/context';
import { callsOf } from './agent-calls';
import type { AgentConsole } from './schema';

const shownFailures = 10;

/**
 * One of the person's own listings with its latest failures; null for unknown and foreign agents alike.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function getOwnAgent(call: { ctx: Ctx; input: { slug: string } }): Promise<AgentConsole | null> {
  const agent = (await listOwnAgents(call)).find(({ slug }) => slug === call.input.slug);
  return agent ? { agent, failures: await callsOf(agent.id, { failed: true, limit: shownFailures }) } : null;
}
