import { z } from 'zod';
import { csvRows, fileResponse, readListQuery } from '../../http/download';
import { endpoint } from '../../http/endpoint';
import { getIncome, listEarnings, listFees, readEarnings, refundSale } from '..';
import {
  type Earning,
  earningFilterSchema,
  earningPageSchema,
  earningSchema,
  feesSchema,
  incomeSchema,
  saleRefundSchema,
} from '../schema-income';

export const getOwnIncome = endpoint({
  method: 'GET',
  path: '/api/income',
  auth: { scope: 'agents:read' },
  response: incomeSchema,
  docs: {
    tag: 'Payments',
    summary: 'Get what you earned, and when it is available',
    description: 'By currency: what is available, pending, held and in transit, each hold with its reason and its end.',
  },
  handle: getIncome,
});

export const getEarnings = endpoint({
  method: 'GET',
  path: '/api/earnings',
  auth: { scope: 'agents:read' },
  query: earningFilterSchema.extend({ format: z.string().meta({ const: 'csv' }).optional() }),
  readQuery: readListQuery,
  response: earningPageSchema,
  docs: {
    tag: 'Payments',
    summary: 'List what you get of each sale',
    description: 'Newest first. With `format=csv`, a file of all matching sales.',
  },
  async handle({ ctx, query: { format, ...input } }) {
    if (format !== 'csv') return listEarnings({ ctx, input });
    const name = `parley-income-${ctx.now.toISOString().slice(0, 10)}.csv`;
    return fileResponse(csvRows(readEarnings({ ctx, input }), earningColumns), name);
  },
});

export const postSaleRefund = endpoint({
  method: 'POST',
  path: '/api/earnings/:id/refund',
  auth: { scope: 'agents:write' },
  body: saleRefundSchema,
  response: earningSchema,
  errors: ['not_found', 'conflict'],
  docs: {
    tag: 'Payments',
    summary: 'Refund a sale',
    description:
      'A part, or all that is left, as the buyer paid it, also after the money was paid out. A charge is refunded immediately, an order soon after.',
  },
  handle: ({ ctx, input, params: { id = '' } }) => refundSale({ ctx, input: { ...input, id } }),
});

/** Columns of the CSV file. Amounts are in minor units. */
const earningColumns: Record<string, (earning: Earning) => string | number | boolean | null> = {
  id: ({ id }) => id,
  captured_at: ({ capturedAt }) => capturedAt,
  kind: ({ kind }) => kind,
  sale_id: ({ saleId }) => saleId,
  agent: ({ agent }) => agent.slug,
  currency: ({ currency }) => currency,
  test: ({ test }) => test,
  gross: ({ gross }) => gross,
  fee: ({ fee }) => fee,
  tax: ({ tax }) => tax,
  refunded: ({ refunded }) => refunded,
  net: ({ net }) => net,
  state: ({ state }) => state,
  hold: ({ hold }) => hold,
  available_at: ({ availableAt }) => availableAt,
};

export const getFees = endpoint({
  method: 'GET',
  path: '/api/fees',
  auth: 'anyone',
  response: feesSchema,
  docs: { tag: 'Payments', summary: 'List the fees of sales, and their next changes' },
  handle: ({ ctx }) => listFees({ ctx }),
});
