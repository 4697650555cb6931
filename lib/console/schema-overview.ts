import { z } from 'zod';
import { time } from '../platform/schema';
import { MAX_SLUG_LENGTH } from './limits';

/** The periods of the console's figures; each ends now. */
export const figureRanges = ['24h', '7d', '30d'] as const;
export type FigureRange = (typeof figureRanges)[number];

/** Query of the console's overview. */
export const overviewQuerySchema = z.object({
  range: z.enum(figureRanges).optional().describe('24h, 7d (the default) or 30d'),
  agent: z
    .string()
    .min(1)
    .max(MAX_SLUG_LENGTH)
    .optional()
    .describe('The agent ID; all agents of your teams without it'),
});
export type OverviewQuery = z.infer<typeof overviewQuerySchema>;

export const figuresSchema = z.object({
  calls: z.int(),
  failed: z.int(),
  success: z.number().nullable().describe('Share of calls that succeeded, 0 to 1; null if there were no calls'),
  p95Ms: z.number().nullable().describe('Of successful calls, accurate to within 5%; null if none succeeded'),
  users: z.int().describe('Distinct callers'),
});
export type Figures = z.infer<typeof figuresSchema>;

export const salesSumSchema = z.object({ currency: z.string(), test: z.boolean(), gross: z.int(), count: z.int() });
export type SalesSum = z.infer<typeof salesSumSchema>;

/** `GET /api/console/overview`. */
export const overviewSchema = z.object({
  range: z.enum(figureRanges),
  from: time,
  to: time,
  current: figuresSchema,
  previous: figuresSchema.describe('The same figures for the previous period of the same length'),
  points: z.array(figuresSchema.extend({ start: time })).describe('Oldest first'),
  sales: z
    .object({ current: z.array(salesSumSchema), previous: z.array(salesSumSchema), points: z.array(z.int()) })
    .nullable()
    .describe('Paid carts of agents that you own, by currency, in minor units; null for an agent of another owner'),
});
export type Overview = z.infer<typeof overviewSchema>;

/** The figures of one agent in a list. */
export interface AgentFigures {
  current: Figures;
  previous: Figures;
  /** Calls per slot, oldest first. */
  points: number[];
}
