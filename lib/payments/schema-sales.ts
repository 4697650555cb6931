import { z } from 'zod';
import { agentName, time } from '../platform/schema';
import { minorUnits } from '../protocol/ap2/schema-offer';
import { orderFilterSchema, orderState, refundReason, refundSchema } from './schema';

/** Filter for sales, by agent, by day (UTC), and by an id. */
export const salesFilterSchema = orderFilterSchema
  .pick({ agent: true, from: true, to: true, cursor: true, limit: true })
  .extend({
    q: z
      .string()
      .trim()
      .regex(/^[\w.-]{1,64}$/, 'expected an order number or a cart ID')
      .optional()
      .describe('The id of the sale, the merchant’s order number, or the cart ID'),
  });
export type SalesFilter = z.infer<typeof salesFilterSchema>;

/** A sale in the view of the agent's owner; the buyer stays anonymous. */
export const saleSchema = z.object({
  id: z.string(),
  agent: agentName,
  state: orderState,
  code: z.string().nullable(),
  currency: z.string(),
  test: z.boolean(),
  gross: minorUnits,
  fee: minorUnits,
  refunded: minorUnits,
  net: minorUnits.describe('gross − fee − refunded, in minor units'),
  cartId: z.string().nullable(),
  merchantOrderId: z.string().nullable(),
  refund: refundSchema.nullable(),
  createdAt: time,
});
export type SaleView = z.infer<typeof saleSchema>;

/** `GET /api/sales`; `?format=csv` has the same rows. */
export const salesPageSchema = z.object({
  items: z.array(saleSchema),
  sums: z
    .array(
      z.object({
        currency: z.string(),
        test: z.boolean(),
        gross: minorUnits,
        fee: minorUnits,
        refunded: minorUnits,
        net: minorUnits,
        count: z.int(),
      }),
    )
    .describe('Totals of all matching sales, by currency'),
  nextCursor: z.string().nullable(),
});
export type SalesPage = z.infer<typeof salesPageSchema>;

/** `POST /api/sales/{id}/refund`: the seller refunds, or refuses a requested refund (`give: false`). */
export const refundDecisionSchema = z.object({
  give: z.boolean(),
  amount: z.int().min(1).optional(),
  reason: refundReason.optional(),
});
export type RefundDecision = z.infer<typeof refundDecisionSchema>;
