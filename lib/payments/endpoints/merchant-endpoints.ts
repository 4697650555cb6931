import { z } from 'zod';
import { csvRows, fileResponse, readListQuery } from '../../http/download';
import { endpoint } from '../../http/endpoint';
import { clientCredentialsRoute } from '../../http/routes/oauth-route';
import {
  acknowledgeMandate,
  authorizeCart,
  decideRefund,
  getMerchant,
  listSales,
  MERCHANT_LIMIT,
  readSales,
  setMerchant,
  verifyMandate,
} from '..';
import { refundDecisionSchema, type SaleView, saleSchema, salesFilterSchema, salesPageSchema } from '../schema';
import {
  cartToSignSchema,
  claimSchema,
  mandateSchema,
  mandateVerdictSchema,
  merchantInputSchema,
  merchantSchema,
  signedCartSchema,
} from '../schema-merchants';

export const getAgentMerchant = endpoint({
  method: 'GET',
  path: '/api/agents/:slug/merchant',
  auth: { scope: 'agents:read' },
  response: merchantSchema,
  docs: { tag: 'Payments', summary: 'Get the selling settings for your agent' },
  handle: ({ ctx, params: { slug = '' } }) => getMerchant({ ctx, input: { slug } }),
});

export const putAgentMerchant = endpoint({
  method: 'PUT',
  path: '/api/agents/:slug/merchant',
  auth: { scope: 'agents:write' },
  body: merchantInputSchema,
  response: merchantSchema,
  docs: { tag: 'Payments', summary: 'Update the selling settings for your agent' },
  handle: ({ ctx, input, params: { slug = '' } }) => setMerchant({ ctx, input: { ...input, slug } }),
});

export const postCart = endpoint({
  method: 'POST',
  path: '/api/ap2/carts',
  response: signedCartSchema,
  errors: ['cart_refused', 'forbidden'],
  docs: { tag: 'Payments', summary: 'Sign a cart' },
  serve: clientCredentialsRoute({
    body: cartToSignSchema,
    limit: MERCHANT_LIMIT,
    handle: authorizeCart,
  }),
});

export const postVerify = endpoint({
  method: 'POST',
  path: '/api/ap2/verify',
  response: mandateVerdictSchema,
  docs: { tag: 'Payments', summary: 'Verify a mandate' },
  serve: clientCredentialsRoute({
    body: mandateSchema,
    limit: MERCHANT_LIMIT,
    handle: verifyMandate,
  }),
});

/** Accepts or rejects the order of a mandate. Each mandate can be claimed only once. */
export const postClaim = endpoint({
  method: 'POST',
  path: '/api/ap2/claim',
  response: mandateVerdictSchema,
  errors: ['conflict'],
  docs: { tag: 'Payments', summary: 'Accept or reject an order' },
  serve: clientCredentialsRoute({
    body: claimSchema,
    limit: MERCHANT_LIMIT,
    handle: acknowledgeMandate,
  }),
});

export const getSales = endpoint({
  method: 'GET',
  path: '/api/sales',
  auth: { scope: 'agents:read' },
  query: salesFilterSchema.extend({ format: z.string().meta({ const: 'csv' }).optional() }),
  readQuery: readListQuery,
  response: salesPageSchema,
  docs: {
    tag: 'Payments',
    summary: 'List your sales',
    description: 'Newest first. With `format=csv`, a file of all matching sales.',
  },
  async handle({ ctx, query: { format, ...input } }) {
    if (format !== 'csv') return listSales({ ctx, input });
    const name = `parley-sales-${ctx.now.toISOString().slice(0, 10)}.csv`;
    return fileResponse(csvRows(readSales({ ctx, input }), saleColumns), name);
  },
});

/** Columns of the CSV file. Amounts are in minor units. */
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

export const postRefundDecision = endpoint({
  method: 'POST',
  path: '/api/sales/:id/refund',
  auth: { scope: 'agents:write' },
  body: refundDecisionSchema,
  response: saleSchema,
  errors: ['conflict'],
  docs: { tag: 'Payments', summary: 'Approve or decline a refund' },
  handle: ({ ctx, input, params: { id = '' } }) => decideRefund({ ctx, input: { ...input, id } }),
});
