import { z } from 'zod';
import { csvRows, fileResponse, jsonArray, readListQuery } from '../../http/download';
import { endpoint } from '../../http/endpoint';
import { idempotencyKeyOf } from '../../http/request-headers';
import { respond } from '../../http/respond';
import type { Actor } from '../../platform/context';
import { replayPaymentEvents } from '../../tasks';
import {
  approveOrder,
  declineOrder,
  getOrder,
  getReceipt,
  listOrders,
  readOrders,
  requestRefund,
  reviewOrder,
} from '..';
import {
  type OrderFilter,
  type OrderView,
  orderDetailSchema,
  orderFilterSchema,
  orderPageSchema,
  orderSchema,
  receiptSchema,
  refundRequestSchema,
} from '../schema';
import { approveSchema, reviewSchema } from '../schema-approvals';

export const getOneOrder = endpoint({
  method: 'GET',
  path: '/api/orders/:id',
  auth: { scope: 'pay' },
  response: orderDetailSchema,
  docs: { tag: 'Payments', summary: 'Get an order' },
  handle: ({ ctx, params: { id = '' } }) => getOrder({ ctx, input: { id } }),
});

export const postRefundRequest = endpoint({
  method: 'POST',
  path: '/api/orders/:id/refund',
  auth: { scope: 'pay' },
  body: refundRequestSchema,
  response: orderSchema,
  errors: ['conflict'],
  docs: { tag: 'Payments', summary: 'Request a refund' },
  handle: ({ ctx, input, params: { id = '' } }) => requestRefund({ ctx, input: { ...input, id } }),
});

export const postReview = endpoint({
  method: 'POST',
  path: '/api/orders/:id/review',
  auth: { scope: 'pay' },
  response: reviewSchema,
  errors: ['cart_refused', 'conflict'],
  docs: { tag: 'Payments', summary: 'Get the offer to approve' },
  handle: ({ ctx, params: { id = '' } }) => reviewOrder({ ctx, input: { id } }),
});

/** Approves an order. Requires an `Idempotency-Key`. */
export const postApprove = endpoint({
  method: 'POST',
  path: '/api/orders/:id/approve',
  auth: { scope: 'pay' },
  body: approveSchema,
  response: orderSchema,
  errors: [
    'sign_in_again',
    'passkey_required',
    'passkey_refused',
    'amount_mismatch',
    'spending_limit_exceeded',
    'cart_refused',
    'idempotency_key_missing',
    'idempotency_mismatch',
    'idempotency_in_flight',
    'conflict',
  ],
  docs: { tag: 'Payments', summary: 'Pay an order' },
  handle: async ({ ctx, input, params: { id = '' }, request }) => {
    const idempotencyKey = idempotencyKeyOf(request);
    const { status, body, replayed } = await approveOrder({ ctx, input: { ...input, id, idempotencyKey } });
    return respond(status, body, {
      'content-type': 'application/json',
      ...(replayed && { 'idempotent-replayed': 'true' }),
    });
  },
});

export const postDecline = endpoint({
  method: 'POST',
  path: '/api/orders/:id/decline',
  auth: { scope: 'pay' },
  response: orderSchema,
  errors: ['conflict'],
  docs: { tag: 'Payments', summary: 'Decline an order' },
  handle: ({ ctx, params: { id = '' } }) => declineOrder({ ctx, input: { id } }),
});

export const getOrderReceipt = endpoint({
  method: 'GET',
  path: '/api/orders/:id/receipt',
  auth: { scope: 'pay' },
  response: receiptSchema,
  docs: { tag: 'Payments', summary: 'Get the proof of payment of an order' },
  handle: ({ ctx, params: { id = '' } }) => getReceipt({ ctx, input: { id } }),
});

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
