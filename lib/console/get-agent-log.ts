import { listOwnAgents } from '../catalog';
import type { Ctx } from '../platform/context';
import { callsOf } from './agent-calls';
import type { AgentLog } from './schema';

const shownCalls = 200;

/**
 * The log of one of the person's own listings, with `failed` of its failed calls alone; null for unknown and foreign agents
 * alike.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function getAgentLog(call: {
  ctx: Ctx;
  input: { slug: string; failed: boolean };
}): Promise<AgentLog | null> {
  const { slug, failed } = call.input;
  const agent = (await listOwnAgents(call)).find((own) => own.slug === slug);
  return agent ? { agent, calls: await callsOf(agent.id, { failed, limit: shownCalls }) } : null;
}
