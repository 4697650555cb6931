import { getAgent, getAgentForMember, getOwnership, getPendingCard, listSkillsForMember } from '../catalog';
import type { OwnAgent } from '../catalog/schema';
import type { Ctx } from '../platform/context';
import { listRecentFailures } from './list-recent-failures';
import type { AgentConsole } from './schema';

const maxFailures = 10;

/**
 * An agent that the person manages, with its latest failures and, while it is listed, with the state of its card and what is
 * stored for calls to it; null for unknown and foreign agents alike.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function getAgentConsole(call: { ctx: Ctx; input: { slug: string } }): Promise<AgentConsole | null> {
  const agent = await getAgentForMember(call);
  if (!agent) return null;
  const [failures, details] = await Promise.all([
    listRecentFailures(agent.id, maxFailures),
    detailsOf(call.ctx, agent),
  ]);
  return { agent, failures, ...details };
}

async function detailsOf(ctx: Ctx, { slug, status }: OwnAgent): Promise<Omit<AgentConsole, 'agent' | 'failures'>> {
  if (status === 'withdrawn') return { failing: null, review: null, credential: null, ownership: null, skills: [] };
  const call = { ctx, input: { slug } };
  const [view, review, ownership, skills] = await Promise.all([
    getAgent(call),
    getPendingCard(call),
    getOwnership(call),
    listSkillsForMember(call),
  ]);
  const credential = 'credential' in view ? view.credential : null;
  return { failing: view.card?.failing ?? null, review, credential, ownership, skills };
}
