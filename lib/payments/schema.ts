import { z } from 'zod';
import { agentName, pageOf, time } from '../platform/schema';
import {
  type CheckView,
  checkSchema,
  type Money,
  minorUnits,
  moneySchema,
  type OfferLineView,
  type OfferView,
  offerSchema,
} from '../protocol/ap2/schema-offer';
import * as limits from './limits';
import { acceptanceSchema } from './schema-disputes';
import { month } from './schema-spending';
import { standingFailure } from './schema-standing';
import { ORDER_STATES } from './schema-states';

export type { CheckView, Money, OfferLineView, OfferView };

export const orderState = z.enum(ORDER_STATES);

/** The amounts of an approved order, in the offer's currency. */
export const paymentSchema = z.object({
  method: z.enum(['wallet', 'card']),
  test: z.boolean().describe('Test credits; no real money is used'),
  authorized: minorUnits,
  captured: minorUnits,
  refunded: minorUnits,
});
export type PaymentView = z.infer<typeof paymentSchema>;

export const refundSchema = z.object({
  id: z.string(),
  amount: minorUnits,
  reason: z.string(),
  state: z.enum(['requested', 'approved', 'refused', 'paid', 'failed']),
  createdAt: time,
});
export type RefundView = z.infer<typeof refundSchema>;

/** `token`: by an access token. `standing`: by a standing approval, without asking the user. */
const approvalMethod = z.enum(['passkey', 'session', 'token', 'standing']);
export type ApprovalMethod = z.infer<typeof approvalMethod>;

/** The buyer's view of an order. */
export const orderSchema = z.object({
  id: z.string(),
  state: orderState,
  code: z.string().nullable().describe('Why the order cannot be paid, or how it ended'),
  /** The cause and the next step. */
  reason: z.string().nullable().describe('The code, explained in a sentence'),
  version: z.int(),
  agent: agentName,
  /** The part of the task that contained the offer. */
  source: z.object({
    taskId: z.string(),
    contextId: z.string(),
    kind: z.enum(['artifact', 'message']),
    id: z.string(),
    part: z.int(),
  }),
  conversationId: z.string().nullable().describe('Null when the offer did not come in a chat'),
  conversationTitle: z.string().nullable(),
  /** Null for a cart that could not be read. */
  offer: offerSchema.nullable(),
  checks: z.array(checkSchema),
  payment: paymentSchema.nullable(),
  approval: z.object({ at: time, method: approvalMethod }).nullable(),
  standingId: z.string().nullable().describe('The standing approval that paid the order'),
  standingFailure: standingFailure.nullable().describe('Why no standing approval paid the order'),
  merchantOrderId: z.string().nullable(),
  redirectUrl: z.string().nullable().describe('The URL that the user must open next, such as a page of their bank'),
  receipts: z.array(z.object({ id: z.string(), kind: z.enum(['merchant', 'parley', 'refund']), at: time })),
  refund: refundSchema.nullable(),
  acceptance: acceptanceSchema.nullable().describe('Null until it is captured, and without acceptance terms'),
  createdAt: time,
  updatedAt: time,
});
export type OrderView = z.infer<typeof orderSchema>;

/** One state change of an order. */
const orderStepSchema = z.object({ state: orderState, code: z.string().nullable(), at: time });
export type OrderStepView = z.infer<typeof orderStepSchema>;

/** Response of `GET /api/orders/{id}`. */
export const orderDetailSchema = z.object({ order: orderSchema, steps: z.array(orderStepSchema) });
export type OrderDetail = z.infer<typeof orderDetailSchema>;

export const orderFilterSchema = z.object({
  /** Orders of one conversation or task. */
  contextId: z.uuid().optional(),
  taskId: z.uuid().optional(),
  agent: z.string().max(limits.MAX_AGENT_REFERENCE_LENGTH).optional(),
  state: z.enum(['open', 'paid', 'refunded', 'ended']).optional(),
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  month: month.optional().describe('The month of the approval, in the time zone of your spending limits'),
  cursor: z.string().max(limits.MAX_CURSOR_LENGTH).optional(),
  limit: z.coerce.number().int().min(1).max(limits.MAX_PAGE_SIZE).optional(),
});
export type OrderFilter = z.infer<typeof orderFilterSchema>;

/** Response of `GET /api/orders`: newest first. */
export const orderPageSchema = pageOf(orderSchema);
export type OrderPage = z.infer<typeof orderPageSchema>;

/** Response of `GET /api/orders/{id}/receipt`: the evidence of a payment. */
export const receiptSchema = z.object({
  order: orderSchema,
  /** Parley's receipt. */
  token: z.string().nullable().describe('The signed receipt, a JWT; null until the order is paid'),
  object: z.record(z.string(), z.unknown()).nullable().describe('AP2 0.1 PaymentReceipt'),
  merchantReceipt: z.object({ token: z.string(), verified: z.boolean(), orderId: z.string().nullable() }).nullable(),
  approval: z.object({ text: z.string(), method: approvalMethod, at: time }).nullable(),
});
export type ReceiptView = z.infer<typeof receiptSchema>;

/** The reason of a refund, or of its rejection. */
const refundReason = z.string().trim().min(1).max(limits.MAX_REFUND_REASON_LENGTH);

/** Body of `POST /api/orders/{id}/refund`. Without `amount`, the whole remainder. */
export const refundRequestSchema = z.object({ amount: z.int().min(1).optional(), reason: refundReason });
export type RefundRequest = z.infer<typeof refundRequestSchema>;

/** Filters sales by agent, day (UTC), and the id of the sale, order or cart. */
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

/** A sale in the view of the agent's owner. The buyer stays anonymous. */
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

/** Response of `GET /api/sales`. `?format=csv` returns the same rows. */
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

/** Body of `POST /api/sales/{id}/refund`: the seller refunds, or refuses a requested refund (`give: false`). */
export const refundDecisionSchema = z.object({
  give: z.boolean(),
  amount: z.int().min(1).optional(),
  reason: refundReason.optional(),
});
export type RefundDecision = z.infer<typeof refundDecisionSchema>;

/** Response of `GET /api/wallet`. */
export const walletSchema = z.object({
  test: z.boolean().describe('Test credits; no real money is used'),
  balances: z.array(z.object({ currency: z.string(), available: minorUnits, held: minorUnits })),
  /** At most {@link limits.MAX_WALLET_ENTRIES} entries. */
  entries: z
    .array(
      z.object({ id: z.string(), kind: z.string(), orderId: z.string().nullable(), amount: moneySchema, at: time }),
    )
    .describe('Newest first, at most 100'),
});
export type WalletView = z.infer<typeof walletSchema>;

export const topUpSchema = z.object({
  currency: z.string().length(3),
  amount: z.int().min(limits.MIN_TOP_UP).max(limits.MAX_TOP_UP),
});
export type TopUp = z.infer<typeof topUpSchema>;

/** Response of `POST /api/wallet/top-ups`. Test credits are posted immediately. */
export const topUpResultSchema = z.object({
  id: z.string(),
  state: z.enum(['pending', 'paid', 'expired']),
  redirectUrl: z.string().nullable().describe('The URL of the card payment page'),
});
export type TopUpView = z.infer<typeof topUpResultSchema>;
