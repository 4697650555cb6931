import { z } from 'zod';
import type { CheckView, Money, OfferLineView, OfferView } from '../protocol/ap2/offer';
import type { JsonObject } from '../protocol/json';

export type { CheckView, Money, OfferLineView, OfferView };

/** Steps of an order (docs/payments.md has them as a picture). */
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

/** An order as the person sees it who may pay it; `GET /api/orders/{id}`. Times are ISO 8601. */
export interface OrderView {
  id: string;
  state: OrderState;
  /** Why it cannot be paid, or how it ended; codes of docs/payments.md. */
  code: string | null;
  /** The same as a sentence for people: what was found and what to do. */
  reason: string | null;
  version: number;
  agent: { slug: string; name: string };
  /** Which part of the conversation it came in. */
  source: { taskId: string; contextId: string; kind: 'artifact' | 'message'; id: string; part: number };
  /** Null when the order was not begun in the chat. */
  conversationId: string | null;
  /** Null for a cart that could not be read. */
  offer: OfferView | null;
  checks: CheckView[];
  payment: PaymentView | null;
  approval: { at: string; method: 'passkey' | 'session' } | null;
  merchantOrderId: string | null;
  /** Set while the person must go somewhere, for example to the page of their bank. */
  redirectUrl: string | null;
  /** Ids of receipts; the page is `/orders/{id}`. */
  receipts: { id: string; kind: 'merchant' | 'parley' | 'refund'; at: string }[];
  refund: RefundView | null;
  createdAt: string;
  updatedAt: string;
}

/** The money of an order, from the approval on; minor units of the offer's currency. */
export interface PaymentView {
  method: 'wallet' | 'card';
  /** Test credits: nothing real moves. */
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

/** One step in the history of an order. */
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
  agent: z.string().max(200).optional(),
  state: z.enum(['open', 'paid', 'refunded', 'ended']).optional(),
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  cursor: z.string().max(500).optional(),
  limit: z.coerce.number().int().min(1).max(100).optional(),
});
export type OrderFilter = z.infer<typeof orderFilterSchema>;

/** Newest first. */
export interface OrderPage {
  items: OrderView[];
  nextCursor: string | null;
}

/** Which sales: of one agent, in whole days (UTC). */
export const salesFilterSchema = orderFilterSchema.pick({
  agent: true,
  from: true,
  to: true,
  cursor: true,
  limit: true,
});
export type SalesFilter = z.infer<typeof salesFilterSchema>;

/** What a person approves, word for word; its canonical text (RFC 8785) is hashed into the passkey's challenge. */
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

/** `POST /api/orders/{id}/review`: everything that is looked at before the button is pressed. */
export interface ReviewView {
  order: OrderView;
  payee: { name: string; issuer: string };
  fee: Money;
  approval: Approval;
  approvalId: string;
  /** Ways to pay, best first; `balance` is of the wallet. */
  methods: { method: 'wallet' | 'card'; test: boolean; balance: Money | null; enough: boolean }[];
  /** Set when a passkey is to sign the approval (PublicKeyCredentialRequestOptionsJSON). */
  passkey: Record<string, unknown> | null;
  /** True when there is no way around the passkey, because of the person's own limit. */
  passkeyRequired: boolean;
  /** True when the sign-in is too long ago to pay without a passkey: the person signs in again. */
  signInAgain: boolean;
}

const base64url = z
  .string()
  .max(10_000)
  .regex(/^[\w-]*$/, 'expected base64url');

/** AuthenticationResponseJSON of WebAuthn, as far as it is read. */
const passkeyAnswerSchema = z.object({
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
  approvalId: z.string().max(100),
  /** Said again by whoever approves: must be the total that was reviewed. */
  amount: z.int().min(0),
  currency: z.string().length(3),
  method: z.enum(['wallet', 'card']),
  assertion: passkeyAnswerSchema.optional(),
});
export type Approve = z.infer<typeof approveSchema>;

const reasonText = z.string().trim().min(1).max(500);

export const refundRequestSchema = z.object({ amount: z.int().min(1).optional(), reason: reasonText });
export type RefundRequest = z.infer<typeof refundRequestSchema>;

/** `POST /api/sales/{id}/refund`: the seller gives back, of their own accord or because they were asked. */
export const refundDecisionSchema = z.object({
  give: z.boolean(),
  amount: z.int().min(1).optional(),
  reason: reasonText.optional(),
});
export type RefundDecision = z.infer<typeof refundDecisionSchema>;

/** `GET /api/wallet`. */
export interface WalletView {
  /** True without keys of a card processor: credits for trying out. */
  test: boolean;
  balances: { currency: string; available: number; held: number }[];
  /** Newest first, at most 100. */
  entries: { id: string; kind: string; orderId: string | null; amount: Money; at: string }[];
}

export const topUpSchema = z.object({ currency: z.string().length(3), amount: z.int().min(100).max(100_000) });
export type TopUp = z.infer<typeof topUpSchema>;

/** `POST /api/wallet/top-ups`: with a card the person goes to `redirectUrl`; test credits are there at once. */
export interface TopUpView {
  id: string;
  state: 'pending' | 'paid' | 'expired';
  redirectUrl: string | null;
}

/** A sale as the agent's owner sees it: whose money it is, not who the buyer is. */
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

/** `GET /api/sales`; `?format=csv` has the same rows. Sums are of all that the filter finds, for each currency. */
export interface SalesPage {
  items: SaleView[];
  sums: { currency: string; test: boolean; gross: number; fee: number; refunded: number; net: number; count: number }[];
  nextCursor: string | null;
}

/** `GET /api/orders/{id}/receipt`: what proves the payment. */
export interface ReceiptView {
  order: OrderView;
  /** Parley's signed receipt, as a JWT; null until it is paid. */
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
  issuer: z.string().min(1).max(500).optional(),
  jwksUrl: z.url().max(2_000).optional(),
  /** Public JWKs (EC, P-256) with a `kid`, in place of an address. */
  keys: z.array(z.record(z.string(), z.unknown())).max(10).optional(),
  /** How long keys that are left out go on counting, hours. */
  overlapHours: z.union([z.literal(0), z.literal(1), z.literal(24), z.literal(168)]).optional(),
});
export type MerchantInput = z.infer<typeof merchantSchema>;

const slug = z.string().min(1).max(60);
const jsonObject = z.record(z.string(), z.unknown()) as z.ZodType<JsonObject>;

/** `POST /api/ap2/carts`: `contents` of a CartMandate of AP2 0.1. */
export const cartToSignSchema = z.object({ agent: slug, contents: jsonObject });

/** `POST /api/ap2/verify`: `mandate` is the data of the part that it came in, as it was received. */
export const mandateSchema = z.object({ agent: slug, mandate: jsonObject });

/** `POST /api/ap2/claim`: with the merchant's own number of the order. */
export const claimSchema = mandateSchema.extend({
  orderId: z.string().trim().min(1).max(200),
  accept: z.boolean().default(true),
});

/** Whether a mandate pays. Amounts are minor units. */
export interface MandateVerdict {
  valid: boolean;
  /** Why not: unknown_mandate, altered_mandate, mandate_expired, not_held. */
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

/** `GET /api/payments/settings`. Minor units, whatever the currency. */
export const paymentSettingsSchema = z.object({ passkeyAbove: z.int().min(0).nullable() });
export type PaymentSettings = z.infer<typeof paymentSettingsSchema>;
