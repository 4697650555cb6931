import { z } from 'zod';
import { minorUnitDigits } from '../protocol/ap2/currencies';

/** Prices that one agent may name. */
const MAX_PRICES = 100;

const skillPriceSchema = z.strictObject({
  /** As in the card. */
  skillId: z.string().min(1).max(500),
  /** In minor units of the currency; 0: free. */
  amount: z.int('expected a whole number of minor units').min(0).max(100_000_000),
  currency: z
    .string()
    .refine((code) => minorUnitDigits(code) !== null, 'expected a currency code of ISO 4217, such as EUR'),
  /** True: it may cost more, as the offer will say. */
  from: z.boolean().default(false),
});

/**
 * What one use of a skill costs, as the agent's team says. It binds nobody: what is paid is the offer that the agent makes
 * and the person approves.
 */
export type SkillPrice = z.infer<typeof skillPriceSchema>;

/** All prices of an agent, at most one for each skill. */
export const pricesSchema = z
  .array(skillPriceSchema)
  .max(MAX_PRICES, `expected at most ${MAX_PRICES} prices`)
  .refine((prices) => new Set(prices.map(({ skillId }) => skillId)).size === prices.length, {
    message: 'expected one price for each skill',
  });
