import { getAgent, getManagedAgent, getOwnership, listManagedSkills, reviewCard } from '../catalog';
import type { OwnAgent } from '../catalog/schema';
import type { Ctx } from '../platform/context';
import { latestFailures } from './latest-failures';
import type { AgentConsole } from './schema';

const shownFailures = 10;

/**
 * An agent that the person manages, with its latest failures and, while it is listed, with the state of its card and what is
 * stored for calls to it; null for unknown and foreign agents alike.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function getOwnAgent(call: { ctx: Ctx; input: { slug: string } }): Promise<AgentConsole | null> {
  const agent = await getManagedAgent(call);
  if (!agent) return null;
  const [failures, upkeep] = await Promise.all([latestFailures(agent.id, shownFailures), upkeepOf(call.ctx, agent)]);
  return { agent, failures, ...upkeep };
}

async function upkeepOf(ctx: Ctx, { slug, status }: OwnAgent): Promise<Omit<AgentConsole, 'agent' | 'failures'>> {
  if (status === 'withdrawn') return { failing: null, review: null, credential: null, ownership: null, skills: [] };
  const call = { ctx, input: { slug } };
  const [view, review, ownership, skills] = await Promise.all([
    getAgent(call),
    reviewCard(call),
    getOwnership(call),
    listManagedSkills(call),
  ]);
  const credential = 'credential' in view ? view.credential : null;
  return { failing: view.card?.failing ?? null, review, credential, ownership, skills };
}
