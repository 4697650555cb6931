import { z } from 'zod';
import { agentName, time } from '../platform/schema';
import { minorUnits, moneySchema } from '../protocol/ap2/schema-offer';
import { spendingPeriod, spendingScope } from './schema-spending';

/** A change of the user's spending by an approved order. Amounts are in the order's currency. */
export const spendingAlertSchema = z.discriminatedUnion('kind', [
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

/** `GET /api/spending/alerts`: of the last 90 days, newest first. */
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

/** The frequency of emails about automatic payments: one for each, or one for all of a day. */
export const automaticEmails = z.enum(['each', 'daily']);
export type AutomaticEmails = z.infer<typeof automaticEmails>;

/** Body of `PUT /api/spending/automatic-payments/emails`. */
export const automaticEmailsSchema = z.object({ emails: automaticEmails });
