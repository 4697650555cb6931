import { z } from 'zod';
import {
  type AgentRecord,
  findOwnership,
  getAgent,
  getAgentForMember,
  getCardFailure,
  getOwnership,
  getPendingCard,
  isHubUrl,
  listOwnAgents,
  listSkillsForMember,
} from '../catalog';
import type { OwnAgent } from '../catalog/schema';
import { MIN_DESCRIPTION_LENGTH } from '../discovery';
import { flushAgentCalls, selectTestResults } from '../observability';
import { x402Asset } from '../payments';
import type { Call, Ctx } from '../platform/context';
import { defineCursor } from '../platform/db/cursor';
import { listAllDeadLetters, listDeadLetters, listFailingPushes } from '../tasks';
import { authorizeAgentAccess, listRecentFailures } from './calls';
import { AGENT_PAGE_SIZE, DEFAULT_FIGURE_RANGE, MAX_SHOWN_FAILURES } from './limits';
import { getAgentFigures } from './overview';
import type { PushOverview } from './schema';
import type {
  AgentConsole,
  AgentListQuery,
  AgentState,
  AgentStatePage,
  ChecklistItem,
  PublishChecklist,
} from './schema-agents';

/**
 * Returns an agent of the user's teams, with its latest failures and, unless it is withdrawn, the state of its card and
 * the credential that is stored for calls to it; null for unknown agents and those of other users.
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
    return {
      failing: null,
      review: null,
      credential: null,
      callLimits: {},
      ownership: null,
      skills: [],
      pricePlans: [],
      x402: null,
    };
  }
  const call = { ctx, input: { slug } };
  const [view, review, ownership, skills] = await Promise.all([
    getAgent(call),
    getPendingCard(call),
    connection === 'hub' ? null : getOwnership(call),
    listSkillsForMember(call),
  ]);
  const { credential, callLimits } = 'credential' in view ? view : { credential: null, callLimits: {} };
  const { pricePlans } = view;
  const failing = view.card?.failing ?? null;
  return { failing, review, credential, callLimits, ownership, skills, pricePlans, x402: x402Asset() };
}

const agentCursor = defineCursor({ list: 'console-agents', position: z.object({ id: z.string().max(60) }) });

/**
 * Returns a page of the agents of the user's teams that match the search, withdrawn ones last. Each has its figures,
 * its latest failure and the approval state of its card.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function listAgentStates({ ctx, input }: Call<AgentListQuery>): Promise<AgentStatePage> {
  const { q, cursor, range = DEFAULT_FIGURE_RANGE } = input;
  const all = await listOwnAgents({ ctx });
  const ordered = [...all].sort((a, b) => Number(a.status === 'withdrawn') - Number(b.status === 'withdrawn'));
  const matching = q === undefined ? ordered : ordered.filter(matcherOf(q));
  const after = cursor ? (agentCursor.find(cursor)?.id ?? null) : null;
  // If the cursor's agent has been removed from the list in the meantime, the list starts from the beginning.
  const rest = matching.slice(after === null ? 0 : matching.findIndex(({ id }) => id === after) + 1);
  const { rows, nextCursor } = agentCursor.pageOf(rest.slice(0, AGENT_PAGE_SIZE + 1), AGENT_PAGE_SIZE);
  const figuresOf = await getAgentFigures(
    rows.map(({ id }) => id),
    { range, now: ctx.now },
  );
  const items = await Promise.all(
    rows.map(async (agent) => ({ ...(await stateOf(ctx, agent)), figures: figuresOf(agent.id) })),
  );
  return { items, total: all.length, matching: matching.length, nextCursor };
}

function matcherOf(q: string): (agent: OwnAgent) => boolean {
  const words = q.toLowerCase().split(/\s+/);
  return ({ slug, name, tags }) => {
    const text = [slug, name, ...tags].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

async function stateOf(ctx: Ctx, agent: OwnAgent): Promise<Omit<AgentState, 'figures'>> {
  const [failures, cardWaits] = await Promise.all([listRecentFailures(agent.id, 1), hasPendingCard(ctx, agent)]);
  return { agent, lastFailure: failures[0] ?? null, cardWaits };
}

async function hasPendingCard(ctx: Ctx, { slug, status }: OwnAgent): Promise<boolean> {
  if (status === 'withdrawn') return false;
  const { card } = await getAgent({ ctx, input: { slug } });
  return Boolean(card?.waiting);
}

/**
 * Returns the user's push notification configurations that currently fail, and the latest undelivered pushes, newest
 * first; with `isComplete`, all stored ones.
 * @throws {ParleyError} `unauthenticated`
 */
export async function getPushOverview({
  ctx,
  isComplete = false,
}: {
  ctx: Ctx;
  isComplete?: boolean;
}): Promise<PushOverview> {
  const undelivered = isComplete ? listAllDeadLetters({ ctx }) : listDeadLetters({ ctx }).then(({ items }) => items);
  const [failing, letters] = await Promise.all([listFailingPushes({ ctx }), undelivered]);
  return {
    failing: failing.map(({ failingSince, nextTry, ...push }) => ({
      ...push,
      failingSince: failingSince.toISOString(),
      nextTry: nextTry.toISOString(),
    })),
    undelivered: letters.map(({ at, configId: _, ...push }) => ({ ...push, at: at.toISOString() })),
  };
}

/**
 * Returns the parts of a complete listing, each with its current state, and the reason if search excludes the agent.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` (also for other users' agents)
 */
export async function getPublishingChecklist({ ctx, input }: Call<{ slug: string }>): Promise<PublishChecklist> {
  const { agent } = await authorizeAgentAccess(ctx, input.slug, { minRole: 'viewer', scope: 'agents:read' });
  await flushAgentCalls();
  const [failing, ownership, tests] = await Promise.all([
    getCardFailure(agent.id),
    findOwnership(agent.id),
    selectTestResults(agent.id),
  ]);
  const items: ChecklistItem[] = [
    { id: 'card', done: failing === null, detail: failing },
    ...itemsOfCard(agent),
    ...(isHubUrl(agent.url) ? [] : [{ id: 'owner' as const, done: ownership !== null, detail: null }]),
    { id: 'app', done: agent.appId !== null, detail: null },
    { id: 'test', done: tests.passed !== null, detail: tests.passed?.toISOString() ?? null },
    { id: 'introspection', done: tests.introspected !== null, detail: tests.introspected?.toISOString() ?? null },
  ];
  return { items, notInSearch: notInSearchReason(agent) };
}

function itemsOfCard({ card }: AgentRecord): ChecklistItem[] {
  const descriptionLength = card.description.trim().length;
  const withoutExamples = card.skills.filter(({ examples }) => examples.length === 0).map(({ name }) => name);
  return [
    {
      id: 'description',
      done: descriptionLength >= MIN_DESCRIPTION_LENGTH,
      detail: `${descriptionLength}`,
    },
    { id: 'skills', done: card.skills.length > 0, detail: null },
    {
      id: 'examples',
      done: card.skills.length > 0 && withoutExamples.length === 0,
      detail: withoutExamples.join(', ') || null,
    },
    { id: 'icon', done: Boolean(card.iconUrl), detail: null },
    { id: 'documentation', done: Boolean(card.documentationUrl), detail: null },
  ];
}

function notInSearchReason({ status, visibility }: AgentRecord): PublishChecklist['notInSearch'] {
  if (status === 'withdrawn' || status === 'suspended') return status;
  return visibility === 'public' ? null : visibility;
}
