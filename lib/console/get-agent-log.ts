import { getManagedAgent } from '../catalog';
import type { Ctx } from '../platform/context';
import { callsOf } from './agent-calls';
import type { AgentLog } from './schema';

const shownCalls = 200;

/**
 * The log of an agent that the person manages, with `failed` of its failed calls alone; null for unknown and foreign agents
 * alike.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function getAgentLog(call: {
  ctx: Ctx;
  input: { slug: string; failed: boolean };
}): Promise<AgentLog | null> {
  const agent = await getManagedAgent(call);
  return agent ? { agent, calls: await callsOf(agent.id, { failed: call.input.failed, limit: shownCalls }) } : null;
}
