import { z } from 'zod';
import type { CredentialView, OwnAgent, SkillView } from '../catalog/schema';
import type { CardState, PendingCard } from '../catalog/schema-cards';
import type { PricePlan } from '../catalog/schema-prices';
import type { OwnCallLimits } from '../catalog/schema-registration';
import type { OwnershipView } from '../catalog/schema-team';
import { time } from '../platform/schema';
import { MAX_CURSOR_LENGTH, MAX_LIST_QUERY_LENGTH, MAX_SLUG_LENGTH } from './limits';
import type { CallDetail, LoggedCall } from './schema';

/** The periods of the console's figures, each of which ends now. */
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

/** Response of `GET /api/console/overview`. */
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

/** An agent with its current problems. */
export interface AgentState {
  agent: OwnAgent;
  /** The latest failure, if any. */
  lastFailure: LoggedCall | null;
  /** True if a newer card awaits the owner's approval. */
  cardWaits: boolean;
  figures: AgentFigures;
}

/** A page of the user's agents. */
export interface AgentStatePage {
  items: AgentState[];
  /** The number of all agents, and of those that match the search. */
  total: number;
  matching: number;
  nextCursor: string | null;
}

/** Query of the console's list of agents. */
export const agentListQuerySchema = z.object({
  /** Words of the name, the agent ID or the tags. */
  q: z.string().trim().min(1).max(MAX_LIST_QUERY_LENGTH).optional(),
  range: z.enum(figureRanges).optional(),
  cursor: z.string().max(MAX_CURSOR_LENGTH).optional(),
});
export type AgentListQuery = z.infer<typeof agentListQuerySchema>;

/** The content of the console's page for one agent. */
export interface AgentConsole {
  agent: OwnAgent;
  /** The latest failures, newest first. */
  failures: CallDetail[];
  /** Set while the card cannot be fetched or parsed. */
  failing: CardState['failing'];
  /** The card that awaits the owner's approval, if any. */
  review: PendingCard | null;
  /** The credential that is stored for calls to the agent. */
  credential: CredentialView | null;
  /** The team's limits of calls. */
  callLimits: OwnCallLimits;
  /** The proof of host ownership; null for a withdrawn agent, and for one that connects to Parley. */
  ownership: OwnershipView | null;
  /** The agent's skills with prices; empty for a withdrawn agent. */
  skills: SkillView[];
  /** The prices that Parley charges; empty for a withdrawn agent. */
  pricePlans: PricePlan[];
  /** The asset in which callers without an account can pay, and the currency as which it counts; null if none can. */
  x402: { code: string; currency: string } | null;
}

/** Parts of a complete listing. */
type ChecklistId =
  | 'card'
  | 'description'
  | 'skills'
  | 'examples'
  | 'icon'
  | 'documentation'
  | 'owner'
  | 'app'
  | 'test'
  | 'introspection';

const checklistItemSchema = z.object({
  id: z.string() as z.ZodType<ChecklistId>,
  done: z.boolean(),
  /** Optional details: a reason, names of skills, or a time (ISO 8601). */
  detail: z.string().nullable(),
});
export type ChecklistItem = z.infer<typeof checklistItemSchema>;

/**
 * Response of `GET /api/agents/{slug}/checklist`. `notInSearch` states why search excludes the agent; null if it does
 * not.
 */
export const publishChecklistSchema = z.object({
  items: z.array(checklistItemSchema),
  notInSearch: z.enum(['withdrawn', 'suspended', 'unlisted', 'private']).nullable(),
});
export type PublishChecklist = z.infer<typeof publishChecklistSchema>;
