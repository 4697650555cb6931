import { z } from 'zod';
import { minorUnitDigits, walletCurrencies } from '../protocol/ap2/money';
import { acceptanceTermsSchema, minorUnits } from '../protocol/ap2/schema-offer';
import {
  MAX_PLAN_PER,
  MAX_PRICE_MINOR,
  MAX_PRICE_PLANS,
  MAX_PRICES,
  MAX_SKILL_ID_LENGTH,
  MAX_UNIT_LENGTH,
} from './limits';

/**
 * The known price of an agent. A `plan` is enforced by Parley; `free` and `from` are prices that its team stated; an
 * `in_chat` agent takes payments but states no price.
 */
const priceKinds = ['free', 'plan', 'from', 'in_chat', 'unstated'] as const;

/** The price of an agent in lists. */
export const priceSummarySchema = z.object({
  kind: z
    .enum(priceKinds)
    .describe(
      'free: the agent or every skill is free; plan: Parley charges the price; in_chat: the agent takes payments but lists no price',
    ),
  amount: minorUnits.nullable().describe('Minor units of the currency; null unless the kind is free, plan or from'),
  currency: z.string().nullable().describe('ISO 4217; null unless the kind is free, plan or from'),
  unit: z
    .string()
    .nullable()
    .describe('What the amount is for: task, message, or the name of a unit that the agent reports; null without one'),
  per: z
    .int()
    .nullable()
    .describe('The number of units that the amount is for; null unless a plan has a price per unit'),
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

const planKinds = ['free', 'task', 'message', 'unit'] as const;

/**
 * A price that Parley charges in one currency: nothing, an amount per task or per message, or an amount for a number of
 * units that the agent reports. A changed plan has a new id.
 */
export const pricePlanSchema = z.object({
  id: z.string().describe('Identifies the plan; a changed plan has another ID'),
  currency: z.string().describe('ISO 4217'),
  kind: z.enum(planKinds),
  amount: minorUnits.describe('Minor units per task, per message, or for `per` units; 0 if it is free'),
  unit: z.string().nullable().describe('The name of the unit, such as token or page; null for other kinds'),
  per: z.int().nullable().describe('The number of units that the amount is for; null for other kinds'),
  cap: minorUnits.nullable().describe('The suggested maximum for one task; null unless the price is per unit'),
  acceptance: acceptanceTermsSchema.optional().describe('The acceptance terms of a task; absent without any'),
  x402: z.boolean().optional().describe('Whether callers without an account can pay by x402, if the site accepts it'),
});
export type PricePlan = z.infer<typeof pricePlanSchema>;

const planAmount = z.int('expected a whole number of minor units').min(1).max(MAX_PRICE_MINOR);
const planCurrency = z
  .string()
  .refine((code) => walletCurrencies.includes(code), `expected one of ${walletCurrencies.join(', ')}`);

const pricePlanInputSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('free'), currency: planCurrency }),
  z.strictObject({
    kind: z.literal('task'),
    currency: planCurrency,
    amount: planAmount,
    acceptance: acceptanceTermsSchema.optional(),
    x402: z.boolean().optional(),
  }),
  z.strictObject({
    kind: z.literal('message'),
    currency: planCurrency,
    amount: planAmount,
    x402: z.boolean().optional(),
  }),
  z.strictObject({
    kind: z.literal('unit'),
    currency: planCurrency,
    amount: planAmount,
    unit: z
      .string()
      .regex(/^[a-z][a-z0-9_-]*$/, 'expected a name of lower-case letters')
      .max(MAX_UNIT_LENGTH),
    per: z.int().min(1).max(MAX_PLAN_PER).default(1),
    cap: planAmount.nullable().default(null),
    acceptance: acceptanceTermsSchema.optional(),
  }),
]);
export type PricePlanInput = z.infer<typeof pricePlanInputSchema>;

/** The price plans of an agent, at most one per currency. */
export const pricePlansSchema = z
  .array(pricePlanInputSchema)
  .max(MAX_PRICE_PLANS, `expected at most ${MAX_PRICE_PLANS} price plans`)
  .refine((plans) => new Set(plans.map(({ currency }) => currency)).size === plans.length, {
    message: 'expected one price plan for each currency',
  })
  .refine((plans) => plans.length < 2 || !plans.some(({ kind }) => kind === 'free'), {
    message: 'expected no other price plan for a free agent',
  });
