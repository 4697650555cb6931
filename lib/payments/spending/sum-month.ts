import { authorize } from '../../identity';
import type { Ctx } from '../../platform/context';
import { toAgentName } from '../orders/order-view';
import type { SpendingSums } from '../schema-spending-sums';
import { findTimeZone } from '../store/spending-limits';
import {
  type AgentSum,
  type ConversationSum,
  findMonth,
  type Month,
  sumByAgent,
  sumByConversation,
} from '../store/spending-sums';

/** A month such as `2026-11` in the user's time zone; without one, the current month. */
export async function findMonthOf(
  userId: string,
  at: { month?: string | undefined; now: Date },
): Promise<Month & { timeZone: string }> {
  const timeZone = (await findTimeZone(userId)) ?? 'UTC';
  return { ...(await findMonth(timeZone, at)), timeZone };
}

/**
 * The amounts that the user paid in a month of their time zone, by agent and conversation. An order counts as for
 * spending limits: from its approval, unless it ended unpaid, less refunds.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function sumSpending({
  ctx,
  input: { month },
}: {
  ctx: Ctx;
  input: { month?: string | undefined };
}): Promise<SpendingSums> {
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
