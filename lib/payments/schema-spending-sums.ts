import { z } from 'zod';
import { agentName, time } from '../platform/schema';
import { minorUnits, moneySchema } from '../protocol/ap2/schema-offer';
import { month } from './schema';
import { spendingLimitSchema } from './schema-spending';

const { period, currency, resetsAt } = spendingLimitSchema.shape;

/** `GET /api/spending/agents/{slug}`. */
export const agentSpendingSchema = z.object({
  limits: z
    .array(
      z.object({
        scope: spendingLimitSchema.shape.scope.extract(['account', 'agent']),
        period,
        currency,
        amount: minorUnits,
        left: minorUnits,
        resetsAt,
      }),
    )
    .describe('For each currency of the agent’s prices and your wallet, the limit of which the least is left'),
  month: z.array(moneySchema).describe('Paid at the agent in this calendar month, less refunds'),
});
export type AgentSpending = z.infer<typeof agentSpendingSchema>;

/** `GET /api/spending/conversations/{id}`. */
export const conversationSpendingSchema = z.object({
  paid: z.array(moneySchema).describe('By currency, less refunds, with the orders of agents hired in the conversation'),
});
export type ConversationSpending = z.infer<typeof conversationSpendingSchema>;

/** Query of `GET /api/spending/sums`. */
export const sumsFilterSchema = z.object({ month: month.optional().describe('The current month by default') });

const sum = { amount: minorUnits, orders: z.int() };

/** `GET /api/spending/sums`: the payments of a month, by currency, with real money and test credits separate. */
export const sumsSchema = z.object({
  month,
  from: time,
  to: time.describe('The beginning of the next month'),
  timeZone: z.string(),
  sums: z.array(
    z.object({
      currency: z.string(),
      test: z.boolean().describe('Test credits; no real money was used'),
      ...sum,
      agents: z.array(agentName.extend(sum)).describe('The highest sums first, at most 100'),
      conversations: z
        .array(
          z.object({
            id: z.string().nullable().describe('Null for orders outside of your conversations'),
            title: z.string().nullable(),
            agent: agentName.nullable(),
            ...sum,
          }),
        )
        .describe('The highest sums first, at most 100'),
    }),
  ),
});
export type SpendingSums = z.infer<typeof sumsSchema>;
