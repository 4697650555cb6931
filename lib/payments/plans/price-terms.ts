import { type AgentRecord, findAgent, requireVisible } from '../../catalog';
import type { PricePlan } from '../../catalog/schema-prices';
import { authorize } from '../../identity';
import type { Call } from '../../platform/context';
import { isTestMode } from '../charges/stripe-mode';
import { getWallet } from '../charges/wallet';
import type { PriceApprovals, PriceApprovalView, PriceTerms } from '../schema-plans';
import { toAgentName } from '../sellers/agent-names';
import { findApprovals, findOpenApprovalsAt, type PriceApprovalRecord } from '../store/plans/price-approvals';

/** Returns true if a user pays nothing at an agent: its team tests it. */
export function isOfTeam({ ownerId, team }: Pick<AgentRecord, 'ownerId' | 'team'>, userId: string): boolean {
  return userId === ownerId || Object.hasOwn(team, userId);
}

/** Returns the plans that cost something. */
export function paidPlans({ pricePlans }: Pick<AgentRecord, 'pricePlans'>): PricePlan[] {
  return pricePlans.filter(({ kind }) => kind !== 'free');
}

/**
 * Returns what an agent costs and what the user has approved there.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found`, `gone`
 */
export async function getPriceTerms({ ctx, input }: Call<{ slug: string }>): Promise<PriceTerms> {
  const user = authorize(ctx.actor, { scope: 'pay' });
  const { userId } = user;
  const agent = requireVisible(user, await findAgent(input.slug));
  const test = isTestMode();
  const [open = null] = await findOpenApprovalsAt({ userId, agentId: agent.id, test });
  const { balances } = await getWallet({ ctx });
  return {
    agent: { slug: agent.slug, name: agent.name },
    plans: agent.pricePlans,
    approval: open && (await toApprovalView(open, { agent, now: ctx.now })),
    wallet: balances.map(({ currency, available }) => ({ currency, minor: available })),
    test,
    isFreeForYou: isOfTeam(agent, userId),
  };
}

/**
 * Lists the user's approvals of price plans, newest first.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function listPriceApprovals({ ctx }: Pick<Call<void>, 'ctx'>): Promise<PriceApprovals> {
  const { userId } = authorize(ctx.actor, { scope: 'pay' });
  const items: PriceApprovalView[] = [];
  for (const record of await findApprovals(userId)) items.push(await toApprovalView(record, { now: ctx.now }));
  return { items };
}

/** Converts an approval to its view. `agent`: the agent, if it is known. */
async function toApprovalView(
  record: PriceApprovalRecord,
  { agent, now }: { agent?: AgentRecord; now: Date },
): Promise<PriceApprovalView> {
  const { id, plan, test, amount, total, held, spent, agentsMayUse, createdAt, expiresAt } = record;
  const left = total - held - spent;
  return {
    ...{ id, plan, test, amount, total, held, spent, left, agentsMayUse },
    agent: agent ? { slug: agent.slug, name: agent.name } : await toAgentName(record.agentId),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    state: stateOf(record, { agent, now }),
  };
}

function stateOf(
  { planId, amount, total, spent, expiresAt, endedAt }: PriceApprovalRecord,
  { agent, now }: { agent?: AgentRecord; now: Date },
): PriceApprovalView['state'] {
  if (endedAt !== null) return 'ended';
  if (expiresAt <= now) return 'expired';
  if (agent && !agent.pricePlans.some(({ id }) => id === planId)) return 'outdated';
  return total - spent < amount ? 'used_up' : 'active';
}
