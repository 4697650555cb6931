import {
  getAgent,
  getAgentForMember,
  getOwnership,
  getPendingCard,
  listOwnAgents,
  listSkillsForMember,
} from '../catalog';
import type { OwnAgent } from '../catalog/schema';
import { listDeadLetters, listFailingPushes } from '../gateway';
import type { Ctx } from '../platform/context';
import { listRecentFailures } from './calls';
import { MAX_SHOWN_FAILURES } from './limits';
import type { AgentConsole, AgentState } from './schema-agents';
import type { PushOverview } from './schema-pushes';

/**
 * An agent of the user's teams, with its latest failures and, unless it is withdrawn, the state of its card and the
 * credential stored for calls to it; null for unknown agents and those of other users.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function getAgentConsole(call: { ctx: Ctx; input: { slug: string } }): Promise<AgentConsole | null> {
  const agent = await getAgentForMember(call);
  if (!agent) return null;
  const [failures, details] = await Promise.all([
    listRecentFailures(agent.id, MAX_SHOWN_FAILURES),
    detailsOf(call.ctx, agent),
  ]);
  return { agent, failures, ...details };
}

async function detailsOf(
  ctx: Ctx,
  { slug, status, connection }: OwnAgent,
): Promise<Omit<AgentConsole, 'agent' | 'failures'>> {
  if (status === 'withdrawn') {
    return { failing: null, review: null, credential: null, callLimits: {}, ownership: null, skills: [] };
  }
  const call = { ctx, input: { slug } };
  const [view, review, ownership, skills] = await Promise.all([
    getAgent(call),
    getPendingCard(call),
    connection === 'hub' ? null : getOwnership(call),
    listSkillsForMember(call),
  ]);
  const { credential, callLimits } = 'credential' in view ? view : { credential: null, callLimits: {} };
  return { failing: view.card?.failing ?? null, review, credential, callLimits, ownership, skills };
}

/**
 * The agents of the user's teams, each with its latest failure and whether its card awaits approval.
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

/**
 * The user's push notification configs that currently fail, and their latest undelivered pushes, latest first.
 * @throws {ParleyError} `unauthenticated`
 */
export async function getPushOverview({ ctx }: { ctx: Ctx }): Promise<PushOverview> {
  const [failing, { items }] = await Promise.all([listFailingPushes({ ctx }), listDeadLetters({ ctx })]);
  return {
    failing: failing.map(({ failingSince, nextTry, ...push }) => ({
      ...push,
      failingSince: failingSince.toISOString(),
      nextTry: nextTry.toISOString(),
    })),
    undelivered: items.map(({ at, configId: _, ...push }) => ({ ...push, at: at.toISOString() })),
  };
}
