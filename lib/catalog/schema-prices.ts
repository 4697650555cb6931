import { z } from 'zod';
import { minorUnitDigits } from '../protocol/ap2/money';
import { minorUnits } from '../protocol/ap2/schema-offer';
import { MAX_PRICE_MINOR, MAX_PRICES, MAX_SKILL_ID_LENGTH } from './limits';

/**
 * The known price of an agent. `free` and `from` are prices that its team stated; an `in_chat` agent takes payments but
 * states no price.
 */
const priceKinds = ['free', 'from', 'in_chat', 'unstated'] as const;

/** The price of an agent in lists. */
export const priceSummarySchema = z.object({
  kind: z
    .enum(priceKinds)
    .describe('free: every skill is listed as free; in_chat: the agent takes payments but lists no price'),
  amount: minorUnits.nullable().describe('Minor units of the currency; null unless the kind is free or from'),
  currency: z.string().nullable().describe('ISO 4217; null unless the kind is free or from'),
  unit: z.enum(['task']).nullable().describe('The unit that the amount is for; null unless the kind is free or from'),
});
export type PriceSummary = z.infer<typeof priceSummarySchema>;

/**
 * The price of one use of a skill, as declared by the agent's team. It is not binding: the user pays the offer that
 * they approve.
 */
export const skillPriceSchema = z.object({
  skillId: z.string().describe('The skill ID from the card'),
  amount: minorUnits.describe('Minor units; 0 means free'),
  currency: z.string(),
  from: z.boolean().describe('Whether the price can be higher'),
});
export type SkillPrice = z.infer<typeof skillPriceSchema>;

const priceInputSchema = z.strictObject({
  /** The id of the skill in the card. */
  skillId: z.string().min(1).max(MAX_SKILL_ID_LENGTH),
  /** Minor units of the currency; 0 means free. */
  amount: z.int('expected a whole number of minor units').min(0).max(MAX_PRICE_MINOR),
  currency: z
    .string()
    .refine((code) => minorUnitDigits(code) !== null, 'expected an ISO 4217 currency code, such as EUR'),
  /** True if the offer may be higher. */
  from: z.boolean().default(false),
});

/** All prices of an agent, at most one per skill. */
export const pricesSchema = z
  .array(priceInputSchema)
  .max(MAX_PRICES, `expected at most ${MAX_PRICES} prices`)
  .refine((prices) => new Set(prices.map(({ skillId }) => skillId)).size === prices.length, {
    message: 'expected one price for each skill',
  });
