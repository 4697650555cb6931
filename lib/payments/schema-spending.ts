import { z } from 'zod';
import { assertionMember } from '../identity/schema-views';
import { agentName, time } from '../platform/schema';
import { minorUnits, moneySchema } from '../protocol/ap2/schema-offer';
import * as limits from './limits';

/**
 * The orders that a limit covers: all orders, or those at one agent, by one credential, or in one chain of hired
 * agents.
 */
export const spendingScope = z.enum(['account', 'agent', 'token', 'connection', 'chain']);
export type SpendingScope = z.infer<typeof spendingScope>;

/**
 * `order` limits each order. The others limit the sum of a calendar day or month in the user's time zone, or of all
 * orders.
 */
export const spendingPeriod = z.enum(['order', 'day', 'month', 'total']);
export type SpendingPeriod = z.infer<typeof spendingPeriod>;

const currency = z.string().regex(/^[A-Z]{3}$/, 'expected an ISO 4217 code such as EUR');

/** A limit and its remaining amount. */
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

/** Response of `GET /api/spending`. */
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

/** A changed limit. A null `amount` removes it; `default` restores the default of the scope. */
export const limitChangeSchema = z.object({
  ...limitKey,
  amount: z.union([z.int().min(0).max(limits.MAX_SPENDING_LIMIT), z.null(), z.literal('default')]),
});
export type LimitChange = z.infer<typeof limitChangeSchema>;

/** Body of `PUT /api/spending/limits`. */
export const setLimitSchema = limitChangeSchema.extend(assertionMember);
export type SetLimit = z.infer<typeof setLimitSchema>;

/** Response of `POST /api/spending/limits/review`: the proof that a change requires. */
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

/** A change in the user's spending that an approved order caused. Amounts are in the order's currency. */
const spendingAlertSchema = z.discriminatedUnion('kind', [
  z
    .object({
      kind: z.literal('limit'),
      percent: z.int().describe('The share of the limit that the order reached'),
      scope: spendingScope,
      name: z.string().describe('Name of the agent, access token or app; empty for the account and chains'),
      period: spendingPeriod,
      used: minorUnits,
      amount: minorUnits,
    })
    .describe('A share of a spending limit is used'),
  z.object({ kind: z.literal('first_payment') }).describe('The first payment to this merchant'),
  z.object({ kind: z.literal('low_balance'), left: minorUnits }).describe('The wallet fell below 10.00'),
  z.object({ kind: z.literal('automatic') }).describe('Paid by a standing approval'),
  z
    .object({ kind: z.literal('repeated'), payments: z.int().describe('Within the hour, with this one') })
    .describe('A standing approval paid more than once within an hour'),
]);
export type SpendingAlert = z.infer<typeof spendingAlertSchema>;
/** An alert that the email about an approval contains. Automatic payments have a separate email. */
export type EmailedAlert = Exclude<SpendingAlert, { kind: 'automatic' }>;

/** Response of `GET /api/spending/alerts`: the alerts of the last 90 days, newest first. */
export const spendingAlertsSchema = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      at: time,
      isNew: z.boolean().describe('False once the user has seen it'),
      orderId: z.string(),
      agent: agentName,
      total: moneySchema,
      alert: spendingAlertSchema,
    }),
  ),
});
export type SpendingAlerts = z.infer<typeof spendingAlertsSchema>;

/** Body of `PUT /api/spending/alerts/seen`. */
export const alertsSeenSchema = z.object({ until: time.describe('The time of the latest alert that was shown') });

/** The frequency of emails about automatic payments: one for each payment, or one for all payments of a day. */
export const automaticEmails = z.enum(['each', 'daily']);
export type AutomaticEmails = z.infer<typeof automaticEmails>;

/** Body of `PUT /api/spending/automatic-payments/emails`. */
export const automaticEmailsSchema = z.object({ emails: automaticEmails });

/** Response of `GET /api/spending/agents/{slug}`. */
export const agentSpendingSchema = z.object({
  limits: z
    .array(
      z.object({
        scope: spendingScope.extract(['account', 'agent']),
        period: spendingPeriod,
        currency,
        amount: minorUnits,
        left: minorUnits,
        resetsAt: time.nullable(),
      }),
    )
    .describe('For each currency of the agent’s prices and your wallet, the limit of which the least is left'),
  month: z.array(moneySchema).describe('Paid at the agent in this calendar month, less refunds'),
});
export type AgentSpending = z.infer<typeof agentSpendingSchema>;

/** Response of `GET /api/spending/conversations/{id}`. */
export const conversationSpendingSchema = z.object({
  paid: z.array(moneySchema).describe('By currency, less refunds, with the orders of agents hired in the conversation'),
});
export type ConversationSpending = z.infer<typeof conversationSpendingSchema>;

/** A calendar month in the user's time zone. */
export const month = z.string().regex(/^2\d{3}-(0[1-9]|1[0-2])$/, 'expected a month such as 2026-11');

/** Query of `GET /api/spending/sums`. */
export const sumsFilterSchema = z.object({ month: month.optional().describe('The current month by default') });

const sum = { amount: minorUnits, orders: z.int() };

/**
 * Response of `GET /api/spending/sums`: the payments of a month, by currency, with real money and test credits
 * separate.
 */
export const sumsSchema = z.object({
  month,
  from: time,
  to: time.describe('The beginning of the next month'),
  timeZone: z.string(),
  sums: z.array(
    z.object({
      currency: z.string(),
      test: z.boolean().describe('Test credits; no real money was used'),
      ...sum,
      agents: z.array(agentName.extend(sum)).describe('The highest sums first, at most 100'),
      conversations: z
        .array(
          z.object({
            id: z.string().nullable().describe('Null for orders outside of your conversations'),
            title: z.string().nullable(),
            agent: agentName.nullable(),
            ...sum,
          }),
        )
        .describe('The highest sums first, at most 100'),
    }),
  ),
});
export type SpendingSums = z.infer<typeof sumsSchema>;
