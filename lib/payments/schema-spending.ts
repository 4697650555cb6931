import { z } from 'zod';
import { assertionMember } from '../identity/schema-passkey';
import { time } from '../platform/schema';
import { minorUnits } from '../protocol/ap2/schema-offer';
import * as limits from './limits';

/**
 * The orders that a limit covers: all orders, or those at one agent, by one credential, or in one chain of hired
 * agents.
 */
export const spendingScope = z.enum(['account', 'agent', 'token', 'connection', 'chain']);
export type SpendingScope = z.infer<typeof spendingScope>;

/** `order` limits each order; the others limit the sum of a calendar day or month in the user's time zone, or of all. */
export const spendingPeriod = z.enum(['order', 'day', 'month', 'total']);
export type SpendingPeriod = z.infer<typeof spendingPeriod>;

const currency = z.string().regex(/^[A-Z]{3}$/, 'expected an ISO 4217 code such as EUR');

/** A limit, and its remaining amount. */
export const spendingLimitSchema = z.object({
  scope: spendingScope,
  subject: z.string().describe('Id of the agent, access token, connected app or root task; empty for the account'),
  name: z.string().describe('Name of the subject; empty for the account'),
  period: spendingPeriod,
  currency,
  amount: minorUnits.nullable().describe('Null for no limit'),
  defaultAmount: minorUnits.nullable().describe('What applies when no limit is set; null for no limit'),
  isDefault: z.boolean().describe('True when no limit was set and the default applies'),
  used: minorUnits.describe('Approved less refunded; 0 for the period `order`'),
  left: minorUnits.nullable(),
  resetsAt: time.nullable(),
});
export type SpendingLimitView = z.infer<typeof spendingLimitSchema>;

/** `GET /api/spending`. */
export const spendingSchema = z.object({
  timeZone: z.string().nullable().describe('IANA time zone of days and months; UTC while it is null'),
  limits: z.array(spendingLimitSchema),
});
export type SpendingView = z.infer<typeof spendingSchema>;

const limitKey = {
  scope: spendingScope,
  subject: z
    .string()
    .max(limits.MAX_SPENDING_SUBJECT_LENGTH)
    .regex(/^[\w-]*$/, 'expected an id'),
  period: spendingPeriod,
  currency,
};

/** A changed limit. `amount` null removes it; `default` returns to the default of the scope. */
export const limitChangeSchema = z.object({
  ...limitKey,
  amount: z.union([z.int().min(0).max(limits.MAX_SPENDING_LIMIT), z.null(), z.literal('default')]),
});
export type LimitChange = z.infer<typeof limitChangeSchema>;

/** Body of `PUT /api/spending/limits`. */
export const setLimitSchema = limitChangeSchema.extend(assertionMember);
export type SetLimit = z.infer<typeof setLimitSchema>;

/** `POST /api/spending/limits/review`: the proof that a change requires. */
export const limitReviewSchema = z.object({
  raises: z.boolean(),
  passkey: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('PublicKeyCredentialRequestOptionsJSON (WebAuthn) when the change needs a passkey'),
  signInAgain: z.boolean(),
});
export type LimitReview = z.infer<typeof limitReviewSchema>;

/** Body of `PUT /api/spending/time-zone`, and of its review. */
export const timeZoneSchema = z.object({
  timeZone: z
    .string()
    .max(limits.MAX_TIME_ZONE_LENGTH)
    .regex(/^[\w+/-]+$/, 'expected an IANA name such as Europe/Berlin'),
  ...assertionMember,
});
export type SetTimeZone = z.infer<typeof timeZoneSchema>;
