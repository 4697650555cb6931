import { replayPaymentEvents } from '../gateway';
import type { Endpoint } from '../http/endpoint';
import { jsonRoute, parseBody } from '../http/routes/json-route';
import { textStream } from '../http/text-stream';
import { getOrder, listOrders, readOrders, requestRefund } from '../payments';
import { type OrderFilter, type OrderView, orderFilterSchema, refundRequestSchema } from '../payments/schema';
import type { Actor } from '../platform/context';
import { csvRows, fileResponse, jsonArray } from './download';

/** `GET /api/orders`: the person's orders, newest first; `?format=csv|json` is a file of all that the filter finds. */
export const getOrders: Endpoint = jsonRoute({
  auth: { scope: 'pay' },
  async handle({ ctx, url }) {
    const input = parseBody(orderFilterSchema, Object.fromEntries(url.searchParams));
    await replayMissedEvents(ctx.actor, input);
    const format = url.searchParams.get('format');
    if (format === null) return listOrders({ ctx, input });
    const orders = readOrders({ ctx, input });
    const name = `parley-orders-${ctx.now.toISOString().slice(0, 10)}`;
    if (format === 'csv') return fileResponse(textStream(csvRows(orders, orderColumns)), `${name}.csv`);
    return fileResponse(textStream(jsonArray(orders)), `${name}.json`);
  },
});

/** A crash may have come between what an agent said and its order: whoever asks for a conversation's orders mends that. */
async function replayMissedEvents(actor: Actor, { taskId, contextId }: OrderFilter): Promise<void> {
  if (actor.kind === 'user' && (taskId || contextId))
    await replayPaymentEvents({ userId: actor.userId, taskId, contextId });
}

/** Amounts are minor units, as everywhere. */
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
};

/** `GET /api/orders/{id}`: one order with its history. */
export const getOneOrder: Endpoint = jsonRoute({
  auth: { scope: 'pay' },
  handle: ({ ctx, params: { id = '' } }) => getOrder({ ctx, input: { id } }),
});

/** `POST /api/orders/{id}/refund`: asks the seller for money back. */
export const postRefundRequest: Endpoint = jsonRoute({
  auth: { scope: 'pay' },
  body: refundRequestSchema,
  handle: ({ ctx, input, params: { id = '' } }) => requestRefund({ ctx, input: { ...input, id } }),
});
