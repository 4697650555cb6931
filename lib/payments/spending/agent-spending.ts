import { findAgent, requireVisible } from '../../catalog';
import { authorize } from '../../identity';
import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { isTestMode } from '../charges/stripe-mode';
import { listCurrencies } from '../charges/wallet';
import type { AgentSpending, ConversationSpending } from '../schema-spending-sums';
import { hasConversation, sumAtAgent, sumInConversation } from '../store/spending-sums';
import { findLimitStates, leftOf, subjectsAt } from './reserve';
import { findMonthOf } from './sum-month';

/**
 * The amount that the user can still spend at an agent, by the limits of the account and the agent, and the amount paid
 * there in the current month of their time zone.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `gone` or `not_found` for agents that the user may not
 * see
 */
export async function getAgentSpending({
  ctx,
  input: { slug },
}: {
  ctx: Ctx;
  input: { slug: string };
}): Promise<AgentSpending> {
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
 * The amount that the user paid in a conversation, less refunds, with the orders of hired agents.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `not_found` for unknown conversations and those of
 * other users
 */
export async function getConversationSpending({
  ctx,
  input: { id },
}: {
  ctx: Ctx;
  input: { id: string };
}): Promise<ConversationSpending> {
  const { userId } = authorize(ctx.actor, { scope: 'pay' });
  if (!/^\w+$/.test(id) || !(await hasConversation(userId, id))) {
    throw new ParleyError('not_found', 'Conversation not found. It may have been deleted.');
  }
  return { paid: await sumInConversation({ userId, conversationId: id, test: isTestMode() }) };
}
