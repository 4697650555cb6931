import { findAgent, requireVisible } from '../../catalog';
import { authorize } from '../../identity';
import type { Call } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { isTestMode } from '../charges/stripe-mode';
import { listCurrencies } from '../charges/wallet';
import type { AgentSpending, ConversationSpending, SpendingSums } from '../schema-spending';
import { toAgentName } from '../sellers/agent-names';
import { findTimeZone } from '../store/limits-and-alerts';
import {
  type AgentSum,
  type ConversationSum,
  findMonth,
  hasConversation,
  type Month,
  sumAtAgent,
  sumByAgent,
  sumByConversation,
  sumInConversation,
} from '../store/spending-sums';
import { findLimitStates, leftOf, subjectsAt } from './reserve';

/** Returns a month such as `2026-11` in the user's time zone, by default the current month. */
export async function findMonthOf(
  userId: string,
  at: { month?: string | undefined; now: Date },
): Promise<Month & { timeZone: string }> {
  const timeZone = (await findTimeZone(userId)) ?? 'UTC';
  return { ...(await findMonth(timeZone, at)), timeZone };
}

/**
 * Returns the amounts that the user paid in a month of their time zone, by agent and conversation. An order counts as
 * it does for spending limits: from its approval, unless it ended unpaid, minus refunds.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function sumSpending({
  ctx,
  input: { month },
}: Call<{ month?: string | undefined }>): Promise<SpendingSums> {
  const { userId } = authorize(ctx.actor, { scope: 'pay' });
  const found = await findMonthOf(userId, { month, now: ctx.now });
  const byAgent = await sumByAgent(userId, found);
  const byConversation = await sumByConversation(userId, found);
  const totals = byAgent.filter(({ agentId }) => agentId === null);
  const sums = totals.map(async ({ currency, test, amount, orders }) => {
    const isSame = (other: { currency: string; test: boolean }): boolean =>
      other.currency === currency && other.test === test;
    return {
      ...{ currency, test, amount, orders },
      agents: await Promise.all(byAgent.filter(isSame).flatMap(toAgentSum)),
      conversations: await Promise.all(byConversation.filter(isSame).map(toConversationSum)),
    };
  });
  const { from, to, timeZone } = found;
  return {
    ...{ month: found.month, from: from.toISOString(), to: to.toISOString(), timeZone },
    sums: await Promise.all(sums),
  };
}

type SumView = SpendingSums['sums'][number];

function toAgentSum({ agentId, amount, orders }: AgentSum): Promise<SumView['agents'][number]>[] {
  return agentId === null ? [] : [toAgentName(agentId).then((agent) => ({ ...agent, amount, orders }))];
}

async function toConversationSum(sum: ConversationSum): Promise<SumView['conversations'][number]> {
  const { id, title, agentId, amount, orders } = sum;
  return { id, title, agent: agentId === null ? null : await toAgentName(agentId), amount, orders };
}

/**
 * Returns the amount that the user can still spend at an agent, by the limits of the account and the agent, and the
 * amount that they paid there in the current month of their time zone.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `gone` or `not_found` for agents that the user may not
 *   see
 */
export async function getAgentSpending({ ctx, input: { slug } }: Call<{ slug: string }>): Promise<AgentSpending> {
  const { userId } = authorize(ctx.actor, { scope: 'pay' });
  const { id: agentId, prices } = requireVisible(ctx.actor, await findAgent(slug));
  const currencies = new Set([...prices.map(({ currency }) => currency), ...(await listCurrencies(userId))]);
  const limits: AgentSpending['limits'] = [];
  for (const currency of currencies) {
    const subjects = subjectsAt(agentId);
    const [tightest] = await findLimitStates({ userId, currency, subjects, now: ctx.now });
    if (!tightest) continue;
    const { scope, period, amount, resetsAt } = tightest;
    limits.push({
      scope: scope === 'agent' ? 'agent' : 'account',
      ...{ period, currency, amount, left: leftOf(tightest), resetsAt: resetsAt?.toISOString() ?? null },
    });
  }
  const range = await findMonthOf(userId, { now: ctx.now });
  return { limits, month: await sumAtAgent({ userId, agentId, test: isTestMode() }, range) };
}

/**
 * Returns the amount that the user paid in a conversation, minus refunds, including the orders of hired agents.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `not_found` for unknown conversations and those of
 *   other users
 */
export async function getConversationSpending({
  ctx,
  input: { id },
}: Call<{ id: string }>): Promise<ConversationSpending> {
  const { userId } = authorize(ctx.actor, { scope: 'pay' });
  if (!/^\w+$/.test(id) || !(await hasConversation(userId, id))) {
    throw new ParleyError('not_found', 'Conversation not found. It may have been deleted.');
  }
  return { paid: await sumInConversation({ userId, conversationId: id, test: isTestMode() }) };
}
