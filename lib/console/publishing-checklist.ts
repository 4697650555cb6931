import { type AgentRecord, findOwnership, getCardFailure, isHubUrl } from '../catalog';
import { flushAgentCalls, selectTestResults } from '../observability';
import type { Ctx } from '../platform/context';
import { authorizeAgentAccess } from './authorize-agent-access';
import { MIN_DESCRIPTION_LENGTH } from './limits';
import type { ChecklistItem, PublishChecklist } from './schema-agents';

/**
 * The parts of a complete listing, each with its current state, and the reason if search excludes the agent.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` also for other users' agents
 */
export async function getPublishingChecklist({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { slug: string };
}): Promise<PublishChecklist> {
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
  const withoutExamples = card.skills.filter(({ examples }) => examples.length === 0).map(({ name }) => name);
  return [
    {
      id: 'description',
      done: card.description.length >= MIN_DESCRIPTION_LENGTH,
      detail: `${card.description.length}`,
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
