import { authorize } from '../../identity';
import { agentChanged } from '../../observability';
import type { Ctx } from '../../platform/context';
import type { Tx } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { canonicalJson } from '../../protocol/jcs';
import type { JsonObject } from '../../protocol/json';
import { requireMember, requireRole } from '../authorization';
import { summaryFieldsOf } from '../cards/card-version';
import { readGivenCard } from '../cards/offered-card';
import { agentNotFound, cardNotOurs, unknownSkill } from '../errors';
import { MAX_LISTED_SKILL_IDS } from '../limits';
import { type AgentRecord, isHubUrl } from '../record';
import type { AgentStatus, AgentView } from '../schema';
import type { PricePlan, PricePlanInput, SkillPrice } from '../schema-prices';
import type { UpdateInput } from '../schema-registration';
import { readAgentsOf, selectAgentById } from '../store/agent-rows';
import { type AgentChanges, changeAgent } from '../store/change-agent';
import { toView } from './agent-views';
import { findAgent } from './find-agent';
import { type OwnsApp, requireOwnApp } from './register-agent';

/**
 * Changes the settings of an agent of the user's team.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` (also for other teams' agents), `gone`,
 *   `forbidden`, `conflict` for the status of a suspended or concurrently changed agent, `card_invalid` with `faults`,
 *   `invalid_request` for an app that is not the user's, a skill that is not in the card, or a card for an agent that
 *   serves its own
 */
export async function updateAgent({
  ctx,
  input,
  ownsApp,
}: {
  ctx: Ctx;
  input: UpdateInput & { slug: string };
  ownsApp: OwnsApp;
}): Promise<AgentView> {
  const user = authorize(ctx.actor, { scope: 'agents:write' });
  const agent = requireRole(user, await findAgent(input.slug), 'developer');
  if (agent.status === 'suspended' && input.status !== undefined) {
    throw new ParleyError('conflict', 'Moderators took down this agent. Its status can change when they restore it.');
  }
  if (input.appId !== agent.appId) await requireOwnApp(user, input.appId, ownsApp);
  const { slug: _slug, card, pricePlans, ...fields } = input;
  if (card && !isHubUrl(agent.url)) throw cardNotOurs();
  const version = card && readGivenCard(agent, card as JsonObject, ctx.now);
  requireKnownSkills(version ?? agent, input.prices);
  const changes: AgentChanges = {
    ...fields,
    ...(pricePlans && { pricePlans: pricePlans.map((plan) => withId(plan, agent)) }),
    ...(version && summaryFieldsOf(version)),
    updatedAt: ctx.now,
  };
  if (input.visibility === 'public') changes.everPublic = true;
  const updated = await changeAgent(agent, changes, {
    audit: agentChanged(ctx, {
      ...agent,
      change: 'changed',
      members: Object.keys({ ...fields, ...(pricePlans && { pricePlans }), ...(card && { card }) }),
    }),
    version,
    assertAllowed: (current) => void requireRole(user, current, 'developer'),
  });
  return toView(updated, null);
}

/** Returns the plan with its id, which is that of the current plan if its price does not change. */
function withId(input: PricePlanInput, { pricePlans }: AgentRecord): PricePlan {
  const plan = { amount: 0, unit: null, per: null, cap: null, ...input };
  const priceOf = ({ x402: _, ...price }: Omit<PricePlan, 'id'>): string => canonicalJson(price);
  const isSame = ({ id: _, ...known }: PricePlan): boolean => priceOf(known) === priceOf(plan);
  return { id: pricePlans.find(isSame)?.id ?? newId('pln'), ...plan };
}

function requireKnownSkills({ card }: Pick<AgentRecord, 'card'>, prices: SkillPrice[] = []): void {
  const known = card.skills.map(({ id }) => id);
  const index = prices.findIndex(({ skillId }) => !known.includes(skillId));
  const price = prices[index];
  if (price) throw unknownSkill(index, { found: price.skillId, known: known.slice(0, MAX_LISTED_SKILL_IDS) });
}

/**
 * Withdraws an agent. No one can see or call it afterwards, and its slug and URL stay reserved.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` (also for other teams' agents), `gone`,
 *   `forbidden` for other roles, `conflict` while it is suspended, because withdrawing and relisting must not end a
 *   suspension
 */
export async function withdrawAgent({ ctx, input }: { ctx: Ctx; input: { slug: string } }): Promise<void> {
  const user = authorize(ctx.actor, { scope: 'agents:write' });
  const agent = requireRole(user, await findAgent(input.slug), 'owner');
  if (agent.status === 'suspended') {
    throw new ParleyError('conflict', 'Moderators took down this agent. You can withdraw it when they have decided.');
  }
  const audit = agentChanged(ctx, { ...agent, change: 'withdrawn' });
  await changeAgent(agent, { status: 'withdrawn', updatedAt: ctx.now }, { audit });
}

/**
 * Withdraws all agents that the user owns, including suspended ones.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function withdrawAllAgents({ ctx }: { ctx: Ctx }): Promise<void> {
  const user = authorize(ctx.actor, { scope: 'agents:write' });
  for await (const agent of readAgentsOf(user.userId)) {
    if (agent.status === 'withdrawn') continue;
    const audit = agentChanged(ctx, { ...agent, change: 'withdrawn' });
    await changeAgent(agent, { status: 'withdrawn', updatedAt: ctx.now }, { audit, force: true });
  }
}

/**
 * Makes a withdrawn agent active again, with its slug, card and settings.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` (also for other teams' agents),
 *   `forbidden` for other roles; `conflict` if it is not withdrawn
 */
export async function restoreWithdrawnAgent({ ctx, input }: { ctx: Ctx; input: { slug: string } }): Promise<AgentView> {
  const user = authorize(ctx.actor, { scope: 'agents:write' });
  const agent = requireMember(user, await findAgent(input.slug), 'owner');
  if (agent.status !== 'withdrawn') throw new ParleyError('conflict', 'This agent is not withdrawn.');
  const audit = agentChanged(ctx, { ...agent, change: 'listed' });
  return toView(await changeAgent(agent, { status: 'active', updatedAt: ctx.now }, { audit }), null);
}

interface Suspension {
  ctx: Ctx;
  input: { agentId: string };
  /** Runs in the same transaction, with the status that the agent had. */
  afterUpdate: (tx: Tx, previous: AgentStatus) => Promise<void>;
}

/**
 * Suspends an agent: no one can see or call it, and its owner cannot relist it. Called by moderation, which has
 * authorized the request.
 * @throws {ParleyError} `not_found`
 */
export async function suspendAgent({ ctx, input, afterUpdate }: Suspension): Promise<void> {
  const agent = await selectAgentById(input.agentId);
  if (!agent) throw agentNotFound();
  const audit = agentChanged(ctx, { ...agent, change: 'suspended' });
  await changeAgent(agent, { status: 'suspended', updatedAt: ctx.now }, { afterUpdate, audit, force: true });
}

/**
 * Restores the earlier status of a suspended agent. An agent that was withdrawn together with its owner's account stays
 * withdrawn.
 * @throws {ParleyError} `not_found`; `conflict` if its status changes concurrently
 */
export async function restoreAgent({
  ctx,
  input,
  afterUpdate,
}: Suspension & { input: { status: AgentStatus } }): Promise<void> {
  const agent = await selectAgentById(input.agentId);
  if (!agent) throw agentNotFound();
  const audit = agentChanged(ctx, { ...agent, change: 'restored' });
  const changes = agent.status === 'suspended' ? { status: input.status, updatedAt: ctx.now } : {};
  await changeAgent(agent, changes, { afterUpdate, audit });
}
