import { z } from 'zod';
import { agentSummarySchema, presenceSchema } from '../catalog/schema';
import { time } from '../platform/schema';

/** `degraded`: the last probe or run failed. `down`: two probes failed in a row. */
export const healths = ['healthy', 'degraded', 'down', 'unknown'] as const;
export type Health = (typeof healths)[number];

/** The consequence for an agent that stays down. `maintenance` ranks it last; `withheld` excludes it from search. */
const escalationStage = z.enum(['listed', 'maintenance', 'withheld']);
export type EscalationStage = z.infer<typeof escalationStage>;

const share = z.number().describe('0 to 1');

const rating = z.object({ average: z.number(), count: z.int() }).nullable();

/** An agent's ranking in a list. */
export const rankingSummarySchema = z.object({
  health: z.enum(healths),
  /** Null before the first computation. */
  score: z.number().nullable().describe('0 to 100'),
  users: z.int().describe('Unique users and apps in the last 30 days'),
  success: share
    .nullable()
    .describe('Share of finished tasks that were completed in the last 30 days; null if none has finished'),
  rating,
  isUnderMaintenance: z.boolean(),
  hasDemoData: z.boolean().optional().describe('True if made-up reviews and tasks of the demo are counted'),
});
export type RankingSummary = z.infer<typeof rankingSummarySchema>;

/** An agent in a list that is not a search. */
export const listedAgentSchema = agentSummarySchema.extend({
  standing: rankingSummarySchema,
  presence: presenceSchema.nullable().describe('Null for an agent with its own URL'),
  online: z
    .boolean()
    .nullable()
    .describe('Whether a worker that accepts tasks is connected; null for an agent with its own URL'),
});
export type ListedAgentView = z.infer<typeof listedAgentSchema>;

/** The parts of the score. */
export const scoreKeys = ['reliability', 'use', 'reviews', 'owner', 'card', 'speed'] as const;
export type ScoreKey = (typeof scoreKeys)[number];

export type MissingField = 'description' | 'skills' | 'examples' | 'tags' | 'documentation' | 'provider' | 'signature';

/** One part of the score. `points` is `value` multiplied by `weight`. */
const scorePartSchema = z.object({
  key: z.enum(scoreKeys),
  value: share,
  weight: z.number(),
  points: z.number(),
  /** True if the value is unknown and a default applies. */
  isAssumed: z.boolean().describe('Not enough data yet'),
  /** The missing members, for the part `card`. */
  missing: z.array(z.string() as z.ZodType<MissingField>).optional(),
});
export type ScorePart = z.infer<typeof scorePartSchema>;

/** Response of `GET /api/agents/{slug}/standing`. */
export const agentRankingSchema = z.object({
  /** True for the agent's team. */
  isOwn: z.boolean(),
  health: z.enum(healths),
  rung: escalationStage,
  /** Null before the first probe. */
  checked: z.object({ at: time, by: z.enum(['reach', 'run']) }).nullable(),
  failingSince: time.nullable(),
  /** Intervals of probes; null if probes are disabled. */
  intervals: z.object({ reachSeconds: z.number(), runSeconds: z.number() }).nullable(),
  uptime: z.object({ share, checks: z.int(), days: z.int() }).nullable(),
  /** Latency of the successful probes of the last `days`. */
  latency: z.object({ p50Ms: z.number(), p95Ms: z.number(), days: z.int() }).nullable(),
  history: z
    .array(z.object({ day: z.string(), checks: z.int(), good: z.int(), p50Ms: z.number().nullable() }))
    .describe('The days with checks, oldest first'),
  use: z.object({ users: z.int(), calls: z.int(), success: share.nullable(), days: z.int() }),
  rating,
  /** Null before the first computation. */
  score: z.object({ total: z.number(), parts: z.array(scorePartSchema), computedAt: time }).nullable(),
  hasDemoData: z.boolean().optional().describe('True if made-up reviews and tasks of the demo are counted'),
});
export type AgentRanking = z.infer<typeof agentRankingSchema>;
