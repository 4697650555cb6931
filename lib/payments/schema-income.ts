import { z } from 'zod';
import { agentName, pageOf, time } from '../platform/schema';
import { minorUnits } from '../protocol/ap2/schema-offer';
import {
  MAX_ADDRESS_LENGTH,
  MAX_AGENT_REFERENCE_LENGTH,
  MAX_CURSOR_LENGTH,
  MAX_LEGAL_NAME_LENGTH,
  MAX_PAGE_SIZE,
  MAX_REFUND_REASON_LENGTH,
  MAX_VAT_ID_LENGTH,
} from './limits';
import { acceptanceSchema } from './schema-disputes';

/**
 * Why a seller's money is not available yet: buyers may still ask for a refund, the seller is new, a buyer disputes the
 * sale, a detail of the seller is missing, or the buyer has not accepted the result.
 */
export const HOLD_REASONS = ['refund_window', 'new_seller', 'dispute', 'missing_detail', 'acceptance'] as const;
export type HoldReason = (typeof HOLD_REASONS)[number];
const holdReason = z.enum(HOLD_REASONS);

/** An amount that is negative if the seller owes it. */
const signedUnits = z.int().describe('Minor units of the currency; negative if you owe it');

/** Money that is not available yet, for one reason and until one day. */
export const incomeHoldSchema = z.object({
  reason: holdReason,
  amount: signedUnits,
  sales: z.int(),
  endsAt: time.describe('The time at which all of it is available'),
});
export type IncomeHold = z.infer<typeof incomeHoldSchema>;

/** A seller's money in one currency. */
export const incomeBalanceSchema = z.object({
  currency: z.string(),
  test: z.boolean().describe('Test credits; no real money is used'),
  available: signedUnits.describe('What you can have paid out, in minor units; negative if you owe refunds'),
  pending: signedUnits.describe('Sold, and in the time in which buyers ask for refunds'),
  held: signedUnits.describe('Sold, and held for another reason'),
  inTransit: minorUnits.describe('On the way to your bank'),
  holds: z.array(incomeHoldSchema).describe('What is pending and held, the next end first'),
  next: z.object({ at: time, amount: signedUnits }).nullable().describe('What becomes available next, and when'),
});
export type IncomeBalance = z.infer<typeof incomeBalanceSchema>;

/** Response of `GET /api/income`: one balance for each currency in which something was sold. */
export const incomeSchema = z.object({ balances: z.array(incomeBalanceSchema) });
export type Income = z.infer<typeof incomeSchema>;

/** Filters earnings by agent and day (UTC). */
export const earningFilterSchema = z.object({
  agent: z.string().max(MAX_AGENT_REFERENCE_LENGTH).optional(),
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  cursor: z.string().max(MAX_CURSOR_LENGTH).optional(),
  limit: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).optional(),
});
export type EarningFilter = z.infer<typeof earningFilterSchema>;

/** What the seller gets of one sale: gross − fee − tax − refunded = net. */
export const earningSchema = z.object({
  id: z.string(),
  kind: z.enum(['order', 'charge']).describe('A cart that was paid, or work that was charged by a price plan'),
  saleId: z.string().describe('The id of the order or charge'),
  agent: agentName,
  currency: z.string(),
  test: z.boolean().describe('Test credits; no real money is used'),
  gross: minorUnits.describe('What the buyer paid, in minor units'),
  fee: minorUnits.describe('Parley’s fee, without what was returned with refunds'),
  tax: minorUnits,
  refunded: minorUnits.describe('The part of gross that was refunded'),
  net: signedUnits.describe('gross − fee − tax − refunded'),
  state: z.enum(['pending', 'held', 'available', 'refunded']),
  hold: holdReason.nullable().describe('Why the money is not available; null when it is'),
  capturedAt: time,
  availableAt: time.describe('When the hold ends, or when the money became available'),
  acceptance: acceptanceSchema.nullable().describe('Null for a sale without acceptance terms'),
});
export type Earning = z.infer<typeof earningSchema>;

/** Body of `POST /api/earnings/{id}/refund`. Without `amount`, all that is left. */
export const saleRefundSchema = z.strictObject({
  amount: z.int().min(1).optional(),
  reason: z.string().trim().min(1).max(MAX_REFUND_REASON_LENGTH).optional(),
  refunded: minorUnits.describe(
    'What you know to be refunded already, so that a repeated request refunds nothing more',
  ),
});
export type SaleRefund = z.infer<typeof saleRefundSchema>;

/** Response of `GET /api/earnings`: newest first. */
export const earningPageSchema = pageOf(earningSchema);
export type EarningPage = z.infer<typeof earningPageSchema>;

/** The fee of a sale: basis points (hundredths of a percent) of the amount, and a fixed part in minor units. */
export const feeTermsSchema = z.object({
  basisPoints: z.int().min(0).max(10_000).describe('Hundredths of a percent of the amount'),
  fixed: minorUnits.describe('Added to each sale, in minor units'),
});
export type FeeTerms = z.infer<typeof feeTermsSchema>;

/**
 * Returns the fee of a sale, minor units: basis points of the amount, rounded down, plus the fixed part, and at most the
 * amount.
 */
export function feeFor(amount: number, { basisPoints, fixed }: FeeTerms): number {
  return Math.min(amount, Number((BigInt(amount) * BigInt(basisPoints)) / 10_000n) + fixed);
}

/** The fee of sales in one currency. */
export const currencyFeeSchema = z.object({
  currency: z.string(),
  fee: feeTermsSchema,
  since: time.nullable().describe('When this fee began; null if it was always in force'),
  next: feeTermsSchema.extend({ from: time }).nullable().describe('The next change; null if none is announced'),
});
export type CurrencyFee = z.infer<typeof currencyFeeSchema>;

/** Response of `GET /api/fees`. */
export const feesSchema = z.object({
  items: z.array(currencyFeeSchema),
  others: feeTermsSchema.describe('The fee of all other currencies'),
  noticeDays: z.int().describe('Days for which a higher fee is announced before it begins'),
});
export type Fees = z.infer<typeof feesSchema>;

const line = z.string().trim().max(MAX_ADDRESS_LENGTH);

/** Body of `PUT /api/billing/{role}`: who a buyer or seller is on invoices. */
export const partyDetailsSchema = z.object({
  name: z.string().trim().min(1).max(MAX_LEGAL_NAME_LENGTH),
  street: line.min(1),
  postalCode: line,
  city: line.min(1),
  country: z.string().regex(/^[A-Z]{2}$/, 'expected an ISO 3166 code such as DE'),
  vatId: z.string().max(MAX_VAT_ID_LENGTH).nullable().describe('With the prefix of the country, such as DE136695976'),
});
export type PartyDetails = z.infer<typeof partyDetailsSchema>;

/** A buyer gets invoices, a seller issues them. */
export const billingRole = z.enum(['buyer', 'seller']);
export type BillingRole = z.infer<typeof billingRole>;

/** Response of `GET /api/billing`: null for what the user has not entered. */
export const billingSchema = z.object({
  buyer: partyDetailsSchema.nullable(),
  seller: partyDetailsSchema.nullable(),
  liable: z.enum(['seller', 'platform']).describe('Who issues invoices and owes the tax of sales'),
});
export type Billing = z.infer<typeof billingSchema>;

/** A party as it was when the paper was issued. Empty texts and null were not entered. */
export const partySchema = partyDetailsSchema.extend({
  street: z.string(),
  city: z.string(),
  country: z.string().nullable(),
});
export type Party = z.infer<typeof partySchema>;

/**
 * How tax applies, by the codes of UNCL 5305: `S` at a rate, `Z` at zero, `AE` reverse charge, `O` not subject to tax:
 * the seller has no VAT id, or the operator states no rate.
 */
export const TAX_CATEGORIES = ['S', 'Z', 'AE', 'O'] as const;
export type TaxCategory = (typeof TAX_CATEGORIES)[number];

/** The kinds of papers. A credit note reduces an invoice. */
export const PAPER_KINDS = ['invoice', 'credit_note'] as const;
export type PaperKind = (typeof PAPER_KINDS)[number];
const paperKind = z.enum(PAPER_KINDS);

/** The content of a paper, which never changes. Every format is rendered from it. Amounts are minor units. */
export const paperContentSchema = z.object({
  kind: paperKind,
  number: z.string().describe('Without gaps for each issuer, year and kind: INV-2026-000001'),
  issuedOn: z.iso.date(),
  suppliedOn: z.iso.date().describe('The day on which the sale was captured'),
  test: z.boolean().describe('Test credits; the paper is void'),
  issuer: partySchema,
  buyer: partySchema.nullable().describe('Null if the buyer had entered no details'),
  seller: z.string().nullable().describe('The seller, if the platform issues the paper'),
  agent: z.string(),
  saleKind: z.enum(['order', 'charge']),
  saleId: z.string(),
  currency: z.string(),
  lines: z.array(z.object({ text: z.string(), net: z.int(), gross: z.int() })),
  category: z.enum(TAX_CATEGORIES),
  basisPoints: z.int().describe('The rate of tax, in hundredths of a percent of net'),
  net: minorUnits,
  tax: minorUnits,
  gross: minorUnits.describe('net + tax; what was paid or refunded'),
  reference: z
    .object({ number: z.string(), issuedOn: z.iso.date() })
    .nullable()
    .describe('The paper that this corrects'),
});
export type PaperContent = z.infer<typeof paperContentSchema>;

/** A paper in a list. */
export const paperSchema = z.object({
  id: z.string(),
  kind: paperKind,
  number: z.string(),
  issuedAt: time,
  issuer: z.string(),
  agent: agentName,
  saleKind: z.enum(['order', 'charge']),
  saleId: z.string(),
  currency: z.string(),
  test: z.boolean(),
  gross: minorUnits,
  tax: minorUnits,
});
export type PaperView = z.infer<typeof paperSchema>;

/** Filters papers by the user's part in them, and by sale. */
export const paperFilterSchema = z.object({
  as: billingRole.default('buyer').describe('Papers about what you bought, or about what you sold'),
  sale: z.string().max(MAX_AGENT_REFERENCE_LENGTH).optional().describe('The id of an order or charge'),
  cursor: z.string().max(MAX_CURSOR_LENGTH).optional(),
  limit: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).optional(),
});
export type PaperFilter = z.infer<typeof paperFilterSchema>;

/** Response of `GET /api/papers`: newest first. */
export const paperPageSchema = pageOf(paperSchema);
export type PaperPage = z.infer<typeof paperPageSchema>;
