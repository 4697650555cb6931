import { z } from 'zod';
import { assertionMember, passkeyResponseSchema } from '../identity/schema-views';
import { time } from '../platform/schema';
import { minorUnits, moneySchema } from '../protocol/ap2/schema-offer';
import * as limits from './limits';
import { orderSchema } from './schema';
import { spendingPeriod, spendingScope } from './schema-spending';

/** The terms that the user approves. The SHA-256 of their canonical text is the passkey's challenge. */
const approvalSchema = z.object({
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
});
export type Approval = z.infer<typeof approvalSchema>;

/** Response of `POST /api/orders/{id}/review`: all data that is displayed before the approval. */
export const reviewSchema = z.object({
  order: orderSchema,
  payee: z.object({ name: z.string(), issuer: z.string() }),
  fee: moneySchema,
  approval: approvalSchema.describe(
    'The exact text to approve; the hash of its canonical form (RFC 8785) is the challenge for the passkey',
  ),
  approvalId: z.string(),
  /** Payment methods, best first. `balance` is that of the wallet. */
  methods: z.array(
    z.object({
      method: z.enum(['wallet', 'card']),
      test: z.boolean(),
      balance: moneySchema.nullable(),
      enough: z.boolean(),
    }),
  ),
  /** Null if no passkey can sign the approval. */
  passkey: z.record(z.string(), z.unknown()).nullable().describe('PublicKeyCredentialRequestOptionsJSON (WebAuthn)'),
  /** True if the amount exceeds the user's own passkey threshold. */
  passkeyRequired: z.boolean(),
  /** True if the session must re-authenticate in order to pay without a passkey. */
  signInAgain: z.boolean(),
  /** The spending limits that apply, in ascending order of the remaining amount. */
  spending: z.object({
    limits: z.array(
      z.object({
        scope: spendingScope,
        name: z.string(),
        period: spendingPeriod,
        amount: minorUnits,
        left: minorUnits,
        resetsAt: time.nullable(),
      }),
    ),
    exceeded: z.string().nullable().describe('Why the order exceeds one, and where to change it'),
  }),
});
export type ReviewView = z.infer<typeof reviewSchema>;

export const approveSchema = z.object({
  approvalId: z.string().max(limits.MAX_APPROVAL_ID_LENGTH),
  /** Repeated by the caller. Must equal the reviewed total. */
  amount: z.int().min(0),
  currency: z.string().length(3),
  method: z.enum(['wallet', 'card']),
  assertion: passkeyResponseSchema.optional(),
});
export type Approve = z.infer<typeof approveSchema>;

/** Response of `GET /api/payments/settings`. The amount is in minor units of any currency. */
export const paymentSettingsSchema = z.object({ passkeyAbove: z.int().min(0).nullable() });
export type PaymentSettings = z.infer<typeof paymentSettingsSchema>;

/** Body of `PUT /api/payments/settings`. */
export const setPaymentSettingsSchema = paymentSettingsSchema.extend(assertionMember);
export type SetPaymentSettings = z.infer<typeof setPaymentSettingsSchema>;
