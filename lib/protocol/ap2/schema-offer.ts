import { z } from 'zod';
import { MAX_ACCEPTANCE_DAYS, MAX_ACCEPTANCE_TEXT } from '../limits';

/** An amount: an integer in the smallest unit of the currency. */
export const minorUnits = z.int().describe('Minor units: 1898 EUR is 18.98 €');

/** An amount in minor units of an ISO 4217 currency: 500 JPY is 500 ¥. */
export const moneySchema = z.object({ currency: z.string().describe('ISO 4217'), minor: minorUnits });
export type Money = z.infer<typeof moneySchema>;

const termsText = z
  .string()
  .trim()
  .min(1)
  .max(MAX_ACCEPTANCE_TEXT)
  // Neither control characters nor half of a surrogate pair, which PostgreSQL does not store.
  .regex(/^(?:\n|[^\p{Cc}\p{Cs}])+$/u, 'expected text without control characters');

/** What a seller delivers, how the buyer checks it, and within which time: plain text of the seller. */
export const acceptanceTermsSchema = z.strictObject({
  deliverable: termsText.describe('What is delivered'),
  check: termsText.describe('How the buyer checks it'),
  days: z
    .int()
    .min(1)
    .max(MAX_ACCEPTANCE_DAYS)
    .describe(
      'The days after the payment within which the buyer accepts the result; after them, it is accepted by itself',
    ),
});
export type AcceptanceTerms = z.infer<typeof acceptanceTermsSchema>;

/** The result of one of the checks C1 to C14. */
export const checkSchema = z.object({
  code: z.string().describe('A code from docs/payments'),
  ok: z.boolean(),
  /** A sentence for users. */
  text: z.string(),
});
export type CheckView = z.infer<typeof checkSchema>;

/** A line of an offer, including shipping, fees, taxes and discounts. A discount is negative. */
const offerLineSchema = z.object({
  /** The merchant's text; plain text. */
  label: z.string(),
  kind: z.enum(['item', 'shipping', 'fee', 'tax', 'discount']),
  minor: minorUnits,
  quantity: z.number(),
  pending: z.boolean().describe('The merchant marked this amount as not final'),
  /** The refund period in days; null if the cart has none. */
  refundDays: z.number().nullable(),
});
export type OfferLineView = z.infer<typeof offerLineSchema>;

/** An offer, read from the bytes that were checked. All displayed amounts come from it. */
export const offerSchema = z.object({
  cartId: z.string(),
  detailsId: z.string().nullable().describe('The ID that payment mandates refer to'),
  dialect: z.enum(['ap2-0.1', 'flat', 'ap2-0.2', 'ucp']),
  merchantName: z.string().nullable(),
  lines: z.array(offerLineSchema),
  total: moneySchema,
  expiresAt: z.string().nullable().describe('ISO 8601'),
  /** Lines of the shipping address. */
  address: z.array(z.string()),
  acceptance: acceptanceTermsSchema.optional().describe('The acceptance terms of the cart; absent if it has none'),
});
export type OfferView = z.infer<typeof offerSchema>;
