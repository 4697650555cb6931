import { z } from 'zod';
import { csvRows, fileResponse, jsonArray, readListQuery } from '../../http/download';
import { endpoint } from '../../http/endpoint';
import type { Actor } from '../../platform/context';
import { replayPaymentEvents } from '../../tasks';
import { listOrders, readOrders } from '..';
import { type OrderFilter, type OrderView, orderFilterSchema, orderPageSchema } from '../schema';

export const getOrders = endpoint({
  method: 'GET',
  path: '/api/orders',
  auth: { scope: 'pay' },
  query: orderFilterSchema.extend({
    format: z
      .string()
      .meta({ enum: ['csv', 'json'] })
      .optional(),
  }),
  readQuery: readListQuery,
  response: orderPageSchema,
  docs: {
    tag: 'Payments',
    summary: 'List your orders',
    description:
      'Newest first. With `format=csv` or `format=json`, a file of all matching orders; JSON has one order per line.',
  },
  async handle({ ctx, query: { format, ...input } }) {
    await replayMissedEvents(ctx.actor, input);
    if (format === undefined) return listOrders({ ctx, input });
    const orders = readOrders({ ctx, input });
    const name = `parley-orders-${ctx.now.toISOString().slice(0, 10)}`;
    if (format === 'csv') return fileResponse(csvRows(orders, orderColumns), `${name}.csv`);
    return fileResponse(jsonArray(orders), `${name}.json`);
  },
});

/**
 * Creates orders that are missing because of a crash after the agent's message. Runs when a conversation's orders are
 * listed.
 */
async function replayMissedEvents(actor: Actor, { taskId, contextId }: OrderFilter): Promise<void> {
  if (actor.kind === 'user' && (taskId || contextId))
    await replayPaymentEvents({ userId: actor.userId, taskId, contextId });
}

/** Columns of the CSV file. Amounts are in minor units. */
const orderColumns: Record<string, (order: OrderView) => string | number | boolean | null> = {
  id: ({ id }) => id,
  created_at: ({ createdAt }) => createdAt,
  agent: ({ agent }) => agent.slug,
  merchant: ({ offer }) => offer?.merchantName ?? null,
  state: ({ state }) => state,
  code: ({ code }) => code,
  currency: ({ offer }) => offer?.total.currency ?? null,
  total: ({ offer }) => offer?.total.minor ?? null,
  method: ({ payment }) => payment?.method ?? null,
  test: ({ payment }) => payment?.test ?? null,
  captured: ({ payment }) => payment?.captured ?? null,
  refunded: ({ payment }) => payment?.refunded ?? null,
  merchant_order_id: ({ merchantOrderId }) => merchantOrderId,
  approved_at: ({ approval }) => approval?.at ?? null,
  approved_by: ({ approval }) => approval?.method ?? null,
  standing_id: ({ standingId }) => standingId,
  conversation_id: ({ conversationId }) => conversationId,
  conversation_title: ({ conversationTitle }) => conversationTitle,
  task_id: ({ source }) => source.taskId,
};
