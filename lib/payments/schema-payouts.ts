import { z } from 'zod';
import { pageOf, time } from '../platform/schema';
import { minorUnits, moneySchema } from '../protocol/ap2/schema-offer';
import * as limits from './limits';

/** The states of a payout, each with the states that may follow it (docs/site/payouts.mdx). */
const transitions = {
  created: ['transferring', 'canceled'],
  transferring: ['transferring', 'in_transit', 'returning', 'failed'],
  in_transit: ['paid', 'returning'],
  // A bank may return money days after the payout was paid.
  paid: ['returning'],
  returning: ['failed'],
  failed: [],
  canceled: [],
} as const satisfies Record<string, readonly string[]>;

export type PayoutState = keyof typeof transitions;
const PAYOUT_STATES = Object.keys(transitions) as [PayoutState, ...PayoutState[]];

/** Returns true if a payout may move from one state to the other. */
export function payoutMayMove(from: PayoutState, to: PayoutState): boolean {
  return (transitions[from] as readonly PayoutState[]).includes(to);
}

/** The states in which the amount of a payout is in transit. */
export const openPayoutStates: PayoutState[] = ['created', 'transferring', 'in_transit', 'returning'];

/** How money reaches a seller: test credits, or Stripe in test or live mode. */
export const payoutRail = z.enum(['credits', 'stripe_test', 'stripe']);
export type PayoutRail = z.infer<typeof payoutRail>;

/** Details that are missing before a seller can be paid out, in Parley's words. */
export const REQUIREMENTS = [
  'legal_name',
  'birth_date',
  'address',
  'id_number',
  'document',
  'contact',
  'business',
  'owners',
  'bank_account',
  'terms',
  'other',
] as const;
export type Requirement = (typeof REQUIREMENTS)[number];

/** Reasons why a payout failed. Others are `other`, with the bank's words. */
export const PAYOUT_CODES = [
  'account_closed',
  'account_frozen',
  'bank_account',
  'currency',
  'debit_not_authorized',
  'insufficient_funds',
  'not_enabled',
  'amount',
  'canceled',
  'other',
] as const;
export type PayoutCode = (typeof PAYOUT_CODES)[number];

/** A payout in the view of its seller. */
export const payoutSchema = z.object({
  id: z.string(),
  currency: z.string(),
  amount: minorUnits,
  test: z.boolean().describe('True for test credits and for Stripe in test mode'),
  cause: z.enum(['schedule', 'request', 'leave']).describe('What created the payout'),
  state: z.enum(PAYOUT_STATES),
  code: z.enum(PAYOUT_CODES).nullable().describe('The reason of a failure'),
  reason: z.string().nullable().describe('The words of the bank or of Stripe; null without a failure'),
  cancelableUntil: time.nullable().describe('Null when the payout can no longer be canceled'),
  arrivesAt: time.nullable().describe('Estimate of the bank; null before the money is sent'),
  endedAt: time.nullable().describe('Time at which it was paid, failed or canceled'),
  createdAt: time,
});
export type PayoutView = z.infer<typeof payoutSchema>;

/** Response of `GET /api/payouts`: newest first. */
export const payoutPageSchema = pageOf(payoutSchema);
export type PayoutPage = z.infer<typeof payoutPageSchema>;

export const payoutFilterSchema = z.object({
  cursor: z.string().max(limits.MAX_CURSOR_LENGTH).optional(),
  limit: z.coerce.number().int().min(1).max(limits.MAX_PAGE_SIZE).optional(),
});
export type PayoutFilter = z.infer<typeof payoutFilterSchema>;

const currency = z.string().regex(/^[A-Z]{3}$/, 'expected an ISO 4217 code such as EUR');

/** Body of `POST /api/payouts`. */
export const payoutRequestSchema = z.object({ currency });
export type PayoutRequest = z.infer<typeof payoutRequestSchema>;

const minimum = z
  .int()
  .min(limits.MIN_PAYOUT)
  .max(limits.MAX_PAYOUT_MINIMUM)
  .describe('Minimum amount of a scheduled payout, in minor units of any currency');

/** Body of `PUT /api/payouts/schedule`: when payouts are created, at 06:00 UTC. */
export const payoutScheduleSchema = z.discriminatedUnion('interval', [
  z.object({ interval: z.literal('weekly'), day: z.int().min(1).max(7).describe('1 is Monday'), minimum }),
  z.object({ interval: z.literal('monthly'), day: z.int().min(1).max(28), minimum }),
  z.object({ interval: z.literal('manual'), minimum }),
]);
export type PayoutSchedule = z.infer<typeof payoutScheduleSchema>;

/** The form of a seller on test credits. */
export const sellerDetailsSchema = z.object({
  legalName: z.string().trim().min(1).max(limits.MAX_LEGAL_NAME_LENGTH),
  country: z.string().regex(/^[A-Z]{2}$/, 'expected an ISO 3166 code such as DE'),
  bank: z
    .string()
    .transform((text) => text.replace(/[\s-]/g, '').toUpperCase())
    .pipe(z.string().regex(/^[A-Z0-9]{6,34}$/, 'expected an account number of 6 to 34 letters and digits')),
});
export type SellerDetails = z.infer<typeof sellerDetailsSchema>;

/** Body of `POST /api/payouts/onboarding`. `details` are for test credits only. */
export const onboardingSchema = z.object({ details: sellerDetailsSchema.optional() });
export type Onboarding = z.infer<typeof onboardingSchema>;

/** Response of `POST /api/payouts/onboarding`. */
export const onboardingResultSchema = z.object({
  redirectUrl: z.string().nullable().describe('Stripe’s page, for one visit within minutes; null on test credits'),
});
export type OnboardingResult = z.infer<typeof onboardingResultSchema>;

/** Body of `PUT /api/payouts/leaving`. */
export const leavingSchema = z.object({ leaving: z.boolean() });
export type Leaving = z.infer<typeof leavingSchema>;

/** Response of `GET /api/payouts/account`. */
export const payoutAccountSchema = z.object({
  rail: payoutRail,
  test: z.boolean(),
  onboarding: z
    .enum(['not_started', 'incomplete', 'in_review', 'ready'])
    .describe('`in_review`: Stripe checks the details; nothing is missing'),
  requirements: z.array(z.enum(REQUIREMENTS)).describe('Details that are missing'),
  details: z
    .object({ legalName: z.string(), country: z.string(), bankEnding: z.string() })
    .nullable()
    .describe('On test credits: what the seller entered'),
  schedule: z.object({
    interval: z.enum(['weekly', 'monthly', 'manual']),
    day: z.int().nullable(),
    minimum: minorUnits,
  }),
  nextAt: time.nullable().describe('Time of the next scheduled payout; null for none'),
  next: z.array(moneySchema).describe('What is paid out then, if nothing changes'),
  balances: z.array(
    z.object({
      currency: z.string(),
      available: z.int().describe('Negative while later sales repay refunds'),
      transit: minorUnits,
    }),
  ),
  leaving: z.boolean(),
});
export type PayoutAccountView = z.infer<typeof payoutAccountSchema>;

/** A month such as 2026-11, or a year such as 2026 (UTC). */
export const statementPeriod = z.string().regex(/^20\d\d(-(0[1-9]|1[0-2]))?$/, 'expected 2026-11 or 2026');

const moved = z.int().describe('Minor units; negative if it reduced what you have');

/** What changed a seller's money in one currency: opening + the amounts between = closing. */
export const statementBalanceSchema = z.object({
  currency: z.string(),
  test: z.boolean().describe('Test credits; no real money is used'),
  opening: moved.describe('Pending, available, kept for disputes and in transit, at the start'),
  sales: moved.describe('What buyers paid'),
  fees: moved,
  tax: moved.describe('Kept by the platform, if it owes the tax'),
  refunds: moved,
  payouts: moved.describe('Paid to your bank'),
  corrections: moved.describe('All other changes'),
  closing: moved,
  saleCount: z.int(),
});
export type StatementBalance = z.infer<typeof statementBalanceSchema>;

/** Response of `GET /api/statements/{period}`. */
export const statementSchema = z.object({
  period: statementPeriod,
  from: time,
  to: time.describe('The end, exclusive'),
  isComplete: z.boolean().describe('False while the period lasts'),
  reconciled: z.boolean().describe('The ledger, the sales and the payouts agree to the cent'),
  balances: z.array(statementBalanceSchema),
});
export type Statement = z.infer<typeof statementSchema>;

/** Response of `GET /api/statements`: the periods since the first sale, newest first. */
export const statementsSchema = z.object({ months: z.array(statementPeriod), years: z.array(statementPeriod) });
export type Statements = z.infer<typeof statementsSchema>;
