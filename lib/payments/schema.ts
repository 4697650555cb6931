import { z } from 'zod';
import type { CheckView, Money, OfferLineView, OfferView } from '../protocol/ap2/schema-offer';
import type { JsonObject } from '../protocol/json';
import * as limits from './limits';

export type { CheckView, Money, OfferLineView, OfferView };

/** States of an order (diagram in docs/payments.md). */
export const ORDER_STATES = [
  'rejected',
  'verified',
  'awaiting_approval',
  'superseded',
  'expired',
  'canceled',
  'approved',
  'payment_pending',
  'action_required',
  'declined',
  'authorized',
  'mandate_delivered',
  'merchant_rejected',
  'delivery_timeout',
  'merchant_confirmed',
  'captured',
  'partially_refunded',
  'refunded',
] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/** An order as its buyer sees it; `GET /api/orders/{id}`. Times are ISO 8601. */
export interface OrderView {
  id: string;
  state: OrderState;
  /** Why it cannot be paid, or how it ended; codes in docs/payments.md. */
  code: string | null;
  /** The code as a sentence: what was found and what to do. */
  reason: string | null;
  version: number;
  agent: { slug: string; name: string };
  /** The part of the task that carried the offer. */
  source: { taskId: string; contextId: string; kind: 'artifact' | 'message'; id: string; part: number };
  /** Null when the offer did not come in a chat. */
  conversationId: string | null;
  /** Null for a cart that could not be read. */
  offer: OfferView | null;
  checks: CheckView[];
  payment: PaymentView | null;
  approval: { at: string; method: 'passkey' | 'session' } | null;
  merchantOrderId: string | null;
  /** Set while the buyer must visit a page, for example of their bank. */
  redirectUrl: string | null;
  /** Ids of receipts; the page is `/orders/{id}`. */
  receipts: { id: string; kind: 'merchant' | 'parley' | 'refund'; at: string }[];
  refund: RefundView | null;
  createdAt: string;
  updatedAt: string;
}

/** The amounts of an approved order; minor units of the offer's currency. */
export interface PaymentView {
  method: 'wallet' | 'card';
  /** Test credits; no real money moves. */
  test: boolean;
  authorized: number;
  captured: number;
  refunded: number;
}

export interface RefundView {
  id: string;
  amount: number;
  reason: string;
  state: 'requested' | 'approved' | 'refused' | 'paid' | 'failed';
  createdAt: string;
}

/** One state change of an order. */
export interface OrderStepView {
  state: OrderState;
  code: string | null;
  at: string;
}

/** `GET /api/orders/{id}`. */
export interface OrderDetail {
  order: OrderView;
  steps: OrderStepView[];
}

export const orderFilterSchema = z.object({
  /** Orders of one conversation or task. */
  contextId: z.uuid().optional(),
  taskId: z.uuid().optional(),
  agent: z.string().max(limits.MAX_AGENT_REFERENCE_LENGTH).optional(),
  state: z.enum(['open', 'paid', 'refunded', 'ended']).optional(),
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  cursor: z.string().max(limits.MAX_CURSOR_LENGTH).optional(),
  limit: z.coerce.number().int().min(1).max(limits.MAX_PAGE_SIZE).optional(),
});
export type OrderFilter = z.infer<typeof orderFilterSchema>;

/** Newest first. */
export interface OrderPage {
  items: OrderView[];
  nextCursor: string | null;
}

/** Filter for sales, by agent and by day (UTC). */
export const salesFilterSchema = orderFilterSchema.pick({
  agent: true,
  from: true,
  to: true,
  cursor: true,
  limit: true,
});
export type SalesFilter = z.infer<typeof salesFilterSchema>;

/** What the user approves. The SHA-256 of its canonical text (RFC 8785) is the passkey's challenge. */
export interface Approval {
  v: 1;
  order_id: string;
  user_id: string;
  agent_id: string;
  context_id: string;
  cart_hash: string;
  amount: number;
  currency: string;
  payee: string;
  nonce: string;
  expires_at: string;
}

/** `POST /api/orders/{id}/review`: everything shown before the approval. */
export interface ReviewView {
  order: OrderView;
  payee: { name: string; issuer: string };
  fee: Money;
  approval: Approval;
  approvalId: string;
  /** Payment methods, best first; `balance` is the wallet's. */
  methods: { method: 'wallet' | 'card'; test: boolean; balance: Money | null; enough: boolean }[];
  /** PublicKeyCredentialRequestOptionsJSON; null when no passkey can sign the approval. */
  passkey: Record<string, unknown> | null;
  /** True when the amount exceeds the user's own passkey threshold. */
  passkeyRequired: boolean;
  /** True when the session must re-authenticate to pay without a passkey. */
  signInAgain: boolean;
}

const base64url = z
  .string()
  .max(limits.MAX_ASSERTION_MEMBER_LENGTH)
  .regex(/^[\w-]*$/, 'expected base64url');

/** The members of WebAuthn's AuthenticationResponseJSON that Parley reads. */
const passkeyResponseSchema = z.object({
  id: base64url.min(1),
  rawId: base64url,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.optional(),
  }),
  clientExtensionResults: z.object({}),
});

export const approveSchema = z.object({
  approvalId: z.string().max(limits.MAX_APPROVAL_ID_LENGTH),
  /** Repeated by the caller; must equal the reviewed total. */
  amount: z.int().min(0),
  currency: z.string().length(3),
  method: z.enum(['wallet', 'card']),
  assertion: passkeyResponseSchema.optional(),
});
export type Approve = z.infer<typeof approveSchema>;

const reasonText = z.string().trim().min(1).max(limits.MAX_REFUND_REASON_LENGTH);

export const refundRequestSchema = z.object({ amount: z.int().min(1).optional(), reason: reasonText });
export type RefundRequest = z.infer<typeof refundRequestSchema>;

/** `POST /api/sales/{id}/refund`: the seller refunds, or refuses a requested refund (`give: false`). */
export const refundDecisionSchema = z.object({
  give: z.boolean(),
  amount: z.int().min(1).optional(),
  reason: reasonText.optional(),
});
export type RefundDecision = z.infer<typeof refundDecisionSchema>;

/** `GET /api/wallet`. */
export interface WalletView {
  /** True in test mode: the wallet holds test credits. */
  test: boolean;
  balances: { currency: string; available: number; held: number }[];
  /** Newest first, at most {@link limits.MAX_WALLET_ENTRIES}. */
  entries: { id: string; kind: string; orderId: string | null; amount: Money; at: string }[];
}

export const topUpSchema = z.object({
  currency: z.string().length(3),
  amount: z.int().min(limits.MIN_TOP_UP).max(limits.MAX_TOP_UP),
});
export type TopUp = z.infer<typeof topUpSchema>;

/** `POST /api/wallet/top-ups`: by card the user pays at `redirectUrl`; test credits are posted immediately. */
export interface TopUpView {
  id: string;
  state: 'pending' | 'paid' | 'expired';
  redirectUrl: string | null;
}

/** A sale as the agent's owner sees it; the buyer stays anonymous. */
export interface SaleView {
  id: string;
  agent: { slug: string; name: string };
  state: OrderState;
  code: string | null;
  currency: string;
  test: boolean;
  /** Minor units; `net` is gross − fee − refunded. */
  gross: number;
  fee: number;
  refunded: number;
  net: number;
  cartId: string | null;
  merchantOrderId: string | null;
  refund: RefundView | null;
  createdAt: string;
}

/** `GET /api/sales`; `?format=csv` has the same rows. Sums cover all rows of the filter, for each currency. */
export interface SalesPage {
  items: SaleView[];
  sums: { currency: string; test: boolean; gross: number; fee: number; refunded: number; net: number; count: number }[];
  nextCursor: string | null;
}

/** `GET /api/orders/{id}/receipt`: the evidence of a payment. */
export interface ReceiptView {
  order: OrderView;
  /** Parley's signed receipt, a JWT; null until captured. */
  token: string | null;
  /** PaymentReceipt of AP2 0.1. */
  object: Record<string, unknown> | null;
  merchantReceipt: { token: string; verified: boolean; orderId: string | null } | null;
  approval: { text: string; method: 'passkey' | 'session'; at: string } | null;
}

/** `GET /api/agents/{slug}/merchant`: how a listing sells. */
export interface MerchantView {
  signing: 'own' | 'platform';
  issuer: string;
  jwksUrl: string | null;
  keys: { kid: string; createdAt: string; retiresAt: string | null }[];
}

export const merchantSchema = z.object({
  signing: z.enum(['own', 'platform']),
  issuer: z.string().min(1).max(limits.MAX_ISSUER_LENGTH).optional(),
  jwksUrl: z.url().max(limits.MAX_JWKS_URL_LENGTH).optional(),
  /** Public JWKs (EC, P-256) with a `kid`, instead of `jwksUrl`. */
  keys: z.array(z.record(z.string(), z.unknown())).max(limits.MAX_MERCHANT_KEYS).optional(),
  /** How long omitted keys stay valid, hours. */
  overlapHours: z.union([z.literal(0), z.literal(1), z.literal(24), z.literal(168)]).optional(),
});
export type MerchantInput = z.infer<typeof merchantSchema>;

const slug = z.string().min(1).max(limits.MAX_SLUG_LENGTH);
const jsonObject = z.record(z.string(), z.unknown()) as z.ZodType<JsonObject>;

/** `POST /api/ap2/carts`: `contents` of a CartMandate of AP2 0.1. */
export const cartToSignSchema = z.object({ agent: slug, contents: jsonObject });

/** `POST /api/ap2/verify`: `mandate` is the data of the received part, unchanged. */
export const mandateSchema = z.object({ agent: slug, mandate: jsonObject });

/** `POST /api/ap2/claim`: `orderId` is the merchant's own order number. */
export const claimSchema = mandateSchema.extend({
  orderId: z.string().trim().min(1).max(limits.MAX_MERCHANT_ORDER_ID_LENGTH),
  accept: z.boolean().default(true),
});

/** Whether a mandate is valid. Amounts are minor units. */
export interface MandateVerdict {
  valid: boolean;
  /** Why not valid: unknown_mandate, altered_mandate, mandate_expired, not_held. */
  code: string | null;
  order: {
    id: string;
    state: OrderState;
    cartId: string | null;
    amount: number;
    currency: string;
    claimed: boolean;
    claimBy: string;
  } | null;
}

/** `GET /api/payments/settings`. Minor units of any currency. */
export const paymentSettingsSchema = z.object({ passkeyAbove: z.int().min(0).nullable() });
export type PaymentSettings = z.infer<typeof paymentSettingsSchema>;
