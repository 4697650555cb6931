import { z } from 'zod';
import { assertionMember, passkeyResponseSchema } from '../identity/schema-views';
import { agentName, time } from '../platform/schema';
import { FREQUENCIES } from '../protocol/ap2/frequencies';
import { minorUnits } from '../protocol/ap2/schema-offer';
import * as limits from './limits';
import { automaticEmails } from './schema-spending';

const amount = z.int().min(1).max(limits.MAX_SPENDING_LIMIT);

/** The terms that are approved in advance. Amounts are minor units of the order's currency. */
export const standingTermsSchema = z.object({
  maxPerOrder: amount,
  maxPerMonth: amount.nullable().describe('In the calendar months of the user’s time zone'),
  maxTotal: amount,
  frequency: z.enum(FREQUENCIES).describe('At most once per period; ON_DEMAND as often as the amounts allow'),
  maxUses: z.int().min(1).max(limits.MAX_STANDING_USES).nullable(),
  maxPerDay: z
    .int()
    .min(1)
    .max(limits.MAX_AUTOMATIC_PER_DAY)
    .default(limits.DEFAULT_AUTOMATIC_PER_DAY)
    .describe('Payments in any 24 hours; those that end unpaid count too'),
  onlySameItems: z.boolean().describe('Only carts with the items of the order that it was created from'),
  until: z.iso.date().regex(/^20/, 'expected a day of this century').describe('The last day, in the user’s time zone'),
});
export type StandingTerms = z.infer<typeof standingTermsSchema>;

/** Body of `POST /api/standing-approvals/review`: terms for the merchant of one of the user's orders. */
export const standingReviewRequestSchema = standingTermsSchema.extend({
  orderId: z.string().max(limits.MAX_APPROVAL_ID_LENGTH),
});
export type StandingReviewRequest = z.infer<typeof standingReviewRequestSchema>;

/** Response of `POST /api/standing-approvals/review`. */
export const standingReviewSchema = z.object({
  id: z.string(),
  text: z.string().describe('The canonical text (RFC 8785) to sign; its SHA-256 is the challenge'),
  passkey: z.record(z.string(), z.unknown()).describe('PublicKeyCredentialRequestOptionsJSON (WebAuthn)'),
});
export type StandingReview = z.infer<typeof standingReviewSchema>;

/** Body of `POST /api/standing-approvals`. */
export const signStandingSchema = z.object({
  id: z.string().max(limits.MAX_APPROVAL_ID_LENGTH).regex(/^\w+$/, 'expected an id'),
  assertion: passkeyResponseSchema,
});
export type SignStanding = z.infer<typeof signStandingSchema>;

/** Reasons why a standing approval did not pay a cart: the violated constraint of AP2 0.2, or one of Parley's. */
export const STANDING_FAILURES = [
  'unasked',
  'message_used',
  'per_day',
  'checkout.allowed_merchants',
  'checkout.line_items',
  'payment.amount_range',
  'payment.allowed_payees',
  'payment.agent_recurrence',
  'payment.budget',
  'payment.reference',
  'payment.execution_date',
  'month',
  'spending_limit',
  'balance',
  'cart',
  'paused',
  'stopped',
  'invalid',
] as const;
export const standingFailure = z.enum(STANDING_FAILURES);
export type StandingFailure = z.infer<typeof standingFailure>;

/** A standing approval and its use. */
export const standingApprovalSchema = z.object({
  id: z.string(),
  agent: agentName,
  payee: z.object({ id: z.string(), name: z.string() }),
  currency: z.string(),
  terms: standingTermsSchema,
  items: z.array(z.object({ id: z.string(), title: z.string() })).nullable(),
  state: z.enum(['active', 'paused', 'revoked', 'expired']),
  usedTotal: minorUnits,
  usedThisMonth: minorUnits,
  uses: z.int(),
  createdAt: time,
  expiresAt: time,
});
export type StandingApprovalView = z.infer<typeof standingApprovalSchema>;

/** Response of `GET /api/standing-approvals`. */
export const standingListSchema = z.object({
  stopped: z.boolean().describe('True while all automatic payments are stopped'),
  emails: automaticEmails.describe('When automatic payments are emailed: each, or all of a day together'),
  items: z.array(standingApprovalSchema),
});
export type StandingList = z.infer<typeof standingListSchema>;

export const stoppedSchema = z.object({ stopped: z.boolean(), ...assertionMember });
export type SetStopped = z.infer<typeof stoppedSchema>;

export const pausedSchema = z.object({ paused: z.boolean(), ...assertionMember });
export type SetPaused = z.infer<typeof pausedSchema>;
