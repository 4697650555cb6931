import type { Endpoint } from '../http/endpoint';
import { jsonRoute, parseBody } from '../http/routes/json-route';
import { textStream } from '../http/text-stream';
import { decideRefund, listSales, readSales } from '../payments';
import { refundDecisionSchema, type SaleView, salesFilterSchema } from '../payments/schema';
import { csvRows, fileResponse } from './download';

/** `GET /api/sales`: what the person's agents sold, newest first; `?format=csv` is a file of all that the filter finds. */
export const getSales: Endpoint = jsonRoute({
  auth: { scope: 'agents:read' },
  async handle({ ctx, url }) {
    const input = parseBody(salesFilterSchema, Object.fromEntries(url.searchParams));
    if (url.searchParams.get('format') !== 'csv') return listSales({ ctx, input });
    const name = `parley-sales-${ctx.now.toISOString().slice(0, 10)}.csv`;
    return fileResponse(textStream(csvRows(readSales({ ctx, input }), saleColumns)), name);
  },
});

/** Amounts are minor units, as everywhere. */
const saleColumns: Record<string, (sale: SaleView) => string | number | boolean | null> = {
  id: ({ id }) => id,
  created_at: ({ createdAt }) => createdAt,
  agent: ({ agent }) => agent.slug,
  state: ({ state }) => state,
  code: ({ code }) => code,
  currency: ({ currency }) => currency,
  test: ({ test }) => test,
  gross: ({ gross }) => gross,
  fee: ({ fee }) => fee,
  refunded: ({ refunded }) => refunded,
  net: ({ net }) => net,
  cart_id: ({ cartId }) => cartId,
  merchant_order_id: ({ merchantOrderId }) => merchantOrderId,
};

/** `POST /api/sales/{id}/refund`: the seller gives money back, or refuses to. */
export const postRefundDecision: Endpoint = jsonRoute({
  auth: { scope: 'agents:write' },
  body: refundDecisionSchema,
  handle: ({ ctx, input, params: { id = '' } }) => decideRefund({ ctx, input: { ...input, id } }),
});
