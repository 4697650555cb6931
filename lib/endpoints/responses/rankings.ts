import { z } from 'zod';
import { type AgentRanking, healths, type MissingField, scoreKeys } from '../../discovery/schema';
import type { CollectionSummary, CollectionView } from '../../discovery/schema-collections';
import type { LoggedExchange } from '../../observability/schema';
import { time } from '../../platform/schema';
import type { ProbeView } from '../../probes/schema';
import { listedAgent } from './agents';

const share = z.number().describe('0 to 1');

export const rankingView: z.ZodType<AgentRanking> = z.object({
  isOwn: z.boolean(),
  health: z.enum(healths),
  rung: z.enum(['listed', 'maintenance', 'withheld']),
  checked: z.object({ at: time, by: z.enum(['reach', 'run']) }).nullable(),
  failingSince: time.nullable(),
  intervals: z.object({ reachSeconds: z.number(), runSeconds: z.number() }).nullable(),
  uptime: z.object({ share, checks: z.int(), days: z.int() }).nullable(),
  latency: z.object({ p50Ms: z.number(), p95Ms: z.number(), days: z.int() }).nullable(),
  history: z
    .array(z.object({ day: z.string(), checks: z.int(), good: z.int(), p50Ms: z.number().nullable() }))
    .describe('The days that were checked, the oldest first'),
  use: z.object({ users: z.int(), calls: z.int(), success: share.nullable(), days: z.int() }),
  rating: z.object({ average: z.number(), count: z.int() }).nullable(),
  score: z
    .object({
      total: z.number(),
      parts: z.array(
        z.object({
          key: z.enum(scoreKeys),
          value: share,
          weight: z.number(),
          points: z.number(),
          isAssumed: z.boolean().describe('Nothing is known yet'),
          missing: z.array(z.string() as z.ZodType<MissingField>).optional(),
        }),
      ),
      computedAt: time,
    })
    .nullable(),
});

const half = { headers: z.record(z.string(), z.string()), body: z.string() };

export const loggedExchange: z.ZodType<LoggedExchange> = z.object({
  request: z.object({ method: z.string(), url: z.string(), ...half }),
  answer: z.object({ status: z.int(), ...half }).nullable(),
});

export const probeView: z.ZodType<ProbeView> = z.object({
  id: z.string(),
  at: time,
  kind: z.enum(['reach', 'run']),
  good: z.boolean(),
  ms: z.number(),
  failure: z.object({ code: z.string(), message: z.string(), wire: loggedExchange.nullable() }).nullable(),
});

const collection = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  visibility: z.enum(['public', 'private']),
  isCurated: z.boolean(),
  keeper: z.string().nullable(),
  isOwn: z.boolean(),
  agents: z.int().describe('In it that everybody can find'),
  updatedAt: time,
  holds: z.boolean().optional().describe('Whether it holds the agent that was asked for'),
});

export const collectionSummary: z.ZodType<CollectionSummary> = collection;

export const collections = z.object({ shared: z.array(collection), own: z.array(collection) });

export const collectionView: z.ZodType<CollectionView> = collection.extend({ items: z.array(listedAgent) });
