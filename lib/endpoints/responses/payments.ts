import { z } from 'zod';
import {
  type MandateVerdict,
  type MerchantView,
  ORDER_STATES,
  type OrderDetail,
  type OrderPage,
  type OrderView,
  type PaymentView,
  type ReceiptView,
  type RefundView,
  type ReviewView,
  type SalesPage,
  type SaleView,
  type TopUpView,
  type WalletView,
} from '../../payments/schema';
import { agentName, pageOf, time } from '../../platform/schema';
import { checkSchema, minorUnits, moneySchema, offerSchema } from '../../protocol/ap2/schema-offer';

const orderState = z.enum(ORDER_STATES);

export const payment: z.ZodType<PaymentView> = z.object({
  method: z.enum(['wallet', 'card']),
  test: z.boolean().describe('Test credits: nothing real moves'),
  authorized: minorUnits,
  captured: minorUnits,
  refunded: minorUnits,
});

export const refund: z.ZodType<RefundView> = z.object({
  id: z.string(),
  amount: minorUnits,
  reason: z.string(),
  state: z.enum(['requested', 'approved', 'refused', 'paid', 'failed']),
  createdAt: time,
});

export const orderView: z.ZodType<OrderView> = z.object({
  id: z.string(),
  state: orderState,
  code: z.string().nullable().describe('Why it cannot be paid, or how it ended'),
  reason: z.string().nullable().describe('The same as a sentence'),
  version: z.int(),
  agent: agentName,
  source: z.object({
    taskId: z.string(),
    contextId: z.string(),
    kind: z.enum(['artifact', 'message']),
    id: z.string(),
    part: z.int(),
  }),
  conversationId: z.string().nullable(),
  offer: offerSchema.nullable(),
  checks: z.array(checkSchema),
  payment: payment.nullable(),
  approval: z.object({ at: time, method: z.enum(['passkey', 'session']) }).nullable(),
  merchantOrderId: z.string().nullable(),
  redirectUrl: z.string().nullable().describe('Where the person must go now, such as a page of their bank'),
  receipts: z.array(z.object({ id: z.string(), kind: z.enum(['merchant', 'parley', 'refund']), at: time })),
  refund: refund.nullable(),
  createdAt: time,
  updatedAt: time,
});

export const orderPage: z.ZodType<OrderPage> = pageOf(orderView);

export const orderDetail: z.ZodType<OrderDetail> = z.object({
  order: orderView,
  steps: z.array(z.object({ state: orderState, code: z.string().nullable(), at: time })),
});

export const reviewView: z.ZodType<ReviewView> = z.object({
  order: orderView,
  payee: z.object({ name: z.string(), issuer: z.string() }),
  fee: moneySchema,
  approval: z
    .object({
      v: z.literal(1),
      order_id: z.string(),
      user_id: z.string(),
      agent_id: z.string(),
      context_id: z.string(),
      cart_hash: z.string(),
      amount: minorUnits,
      currency: z.string(),
      payee: z.string(),
      nonce: z.string(),
      expires_at: time,
    })
    .describe(
      'What is approved, word for word; the hash of its canonical text (RFC 8785) is the challenge of the passkey',
    ),
  approvalId: z.string(),
  methods: z.array(
    z.object({
      method: z.enum(['wallet', 'card']),
      test: z.boolean(),
      balance: moneySchema.nullable(),
      enough: z.boolean(),
    }),
  ),
  passkey: z.record(z.string(), z.unknown()).nullable().describe('PublicKeyCredentialRequestOptionsJSON of WebAuthn'),
  passkeyRequired: z.boolean(),
  signInAgain: z.boolean(),
});

export const receiptView: z.ZodType<ReceiptView> = z.object({
  order: orderView,
  token: z.string().nullable().describe('The signed receipt, a JWT; null until it is paid'),
  object: z.record(z.string(), z.unknown()).nullable().describe('PaymentReceipt of AP2 0.1'),
  merchantReceipt: z.object({ token: z.string(), verified: z.boolean(), orderId: z.string().nullable() }).nullable(),
  approval: z.object({ text: z.string(), method: z.enum(['passkey', 'session']), at: time }).nullable(),
});

export const walletView: z.ZodType<WalletView> = z.object({
  test: z.boolean().describe('Credits for trying out: nothing real moves'),
  balances: z.array(z.object({ currency: z.string(), available: minorUnits, held: minorUnits })),
  entries: z
    .array(
      z.object({ id: z.string(), kind: z.string(), orderId: z.string().nullable(), amount: moneySchema, at: time }),
    )
    .describe('Newest first, at most 100'),
});

export const topUpView: z.ZodType<TopUpView> = z.object({
  id: z.string(),
  state: z.enum(['pending', 'paid', 'expired']),
  redirectUrl: z.string().nullable().describe('Where the person pays by card'),
});

export const saleView: z.ZodType<SaleView> = z.object({
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
  refund: refund.nullable(),
  createdAt: time,
});

export const salesPage: z.ZodType<SalesPage> = z.object({
  items: z.array(saleView),
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
    .describe('Of all that the filter finds, for each currency'),
  nextCursor: z.string().nullable(),
});

export const merchantView: z.ZodType<MerchantView> = z.object({
  signing: z.enum(['own', 'platform']).describe('Who signs its carts: the agent itself, or Parley for it'),
  issuer: z.string(),
  jwksUrl: z.string().nullable(),
  keys: z.array(z.object({ kid: z.string(), createdAt: time, retiresAt: time.nullable() })),
});

/** The names are AP2 0.1's. */
export const signedCart = z.object({
  merchant_authorization: z.string().describe('A JWT over the hash of the contents'),
  cart_hash: z.string().describe('SHA-256 of the canonical contents (RFC 8785), base64url'),
});

export const mandateVerdict: z.ZodType<MandateVerdict> = z.object({
  valid: z.boolean(),
  code: z.string().nullable().describe('Why not: unknown_mandate, altered_mandate, mandate_expired, not_held'),
  order: z
    .object({
      id: z.string(),
      state: orderState,
      cartId: z.string().nullable(),
      amount: minorUnits,
      currency: z.string(),
      claimed: z.boolean(),
      claimBy: time,
    })
    .nullable(),
});
