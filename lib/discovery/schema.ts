import { z } from 'zod';
import { type AgentSummary, type Badge, badges } from '../catalog/schema';
import { cleanLine } from '../protocol/a2a/cards/clean-text';

/** Longest search text that is looked at (LIM-7). */
export const MAX_QUERY_LENGTH = 200;

/** How an agent is: `degraded` failed its last check or its last real run, `down` two checks in a row. */
export const healths = ['healthy', 'degraded', 'down', 'unknown'] as const;
export type Health = (typeof healths)[number];

/** Where an agent that stays down stands: `maintenance` ranks below everything else, `withheld` is not in search. */
export type EscalationStage = 'listed' | 'maintenance' | 'withheld';

/** Days within which the agent changed, as the filter offers them. */
export const updatedDays = [7, 30, 90] as const;
/** Least mean rating, as the filter offers it. */
export const minRatings = [4, 3, 2] as const;

const updated = z.enum(['7', '30', '90']);
const rating = z.enum(['4', '3', '2']);

export const sorts = ['relevance', 'best', 'used', 'rating', 'newest', 'name'] as const;
export type Sort = (typeof sorts)[number];

/** Query of `GET /api/agents` and of the catalogue page; the page keeps exactly these in its URL. */
export const searchQuerySchema = z.object({
  q: z.string().trim().max(MAX_QUERY_LENGTH).default(''),
  tag: z.array(z.string().trim().min(1).max(40)).max(10).default([]),
  capability: z.array(z.enum(badges)).max(badges.length).default([]),
  health: z.enum(healths).optional(),
  /** Whether the agent takes payments. */
  price: z.enum(['free', 'paid']).optional(),
  /** The handle of the person who listed it. */
  publisher: z.string().trim().min(1).max(60).optional(),
  rating: rating.optional(),
  updated: updated.optional(),
  sort: z.enum(sorts).default('relevance'),
  limit: z.coerce.number().int().min(1).max(100).default(24),
  cursor: z.string().max(4000).optional(),
});
export type SearchQuery = z.infer<typeof searchQuerySchema>;

/** What a list shows of how an agent stands. Times are ISO 8601. */
export interface RankingSummary {
  health: Health;
  /** 0 to 100; null until it is computed for the first time. */
  score: number | null;
  /** People and apps that used it within thirty days. */
  users: number;
  rating: { average: number; count: number } | null;
  isUnderMaintenance: boolean;
}

export interface SearchResult extends AgentSummary {
  /** Name of the skill that matched best, when the match was in a skill. */
  matchedSkill: string | null;
  standing: RankingSummary;
}

export interface FacetCount<Value> {
  value: Value;
  count: number;
}

/** How many of the matches each further filter would leave. */
export interface Facets {
  tags: FacetCount<string>[];
  capabilities: FacetCount<Badge>[];
  health: FacetCount<Health>[];
  price: FacetCount<'free' | 'paid'>[];
  rating: FacetCount<z.infer<typeof rating>>[];
  updated: FacetCount<z.infer<typeof updated>>[];
  publishers: (FacetCount<string> & { name: string })[];
}

/** One page of results. `total` counts all matches (capped, see `totalIsCapped`); facets count the same matches. */
export interface SearchPage {
  items: SearchResult[];
  nextCursor: string | null;
  total: number;
  totalIsCapped: boolean;
  facets: Facets;
}

/** What the score is made of. */
export const scoreKeys = ['reliability', 'use', 'reviews', 'owner', 'card', 'speed'] as const;
export type ScoreKey = (typeof scoreKeys)[number];

/** One part of the score: `value` (0 to 1) times `weight` is what it adds. */
export interface ScorePart {
  key: ScoreKey;
  value: number;
  weight: number;
  points: number;
  /** True while nothing is known, and the value in the middle stands in. */
  isAssumed: boolean;
  /** For the part `card`: what the card lacks. */
  missing?: MissingField[];
}

export type MissingField = 'description' | 'skills' | 'examples' | 'tags' | 'documentation' | 'provider' | 'signature';

/** How an agent stands and why: `GET /api/agents/{slug}/standing`. Times are ISO 8601, shares 0 to 1. */
export interface AgentRanking {
  /** The reader is in the agent's team. */
  isOwn: boolean;
  health: Health;
  rung: EscalationStage;
  /** Null before the first probe. */
  checked: { at: string; by: 'reach' | 'run' } | null;
  failingSince: string | null;
  /** How often is probed, seconds; null where probes are off. */
  intervals: { reachSeconds: number; runSeconds: number } | null;
  uptime: { share: number; checks: number; days: number } | null;
  /** Of the good probes of the last `days`. */
  latency: { p50Ms: number; p95Ms: number; days: number } | null;
  /** The days that were probed, the oldest first. */
  history: { day: string; checks: number; good: number; p50Ms: number | null }[];
  use: { users: number; calls: number; success: number | null; days: number };
  rating: { average: number; count: number } | null;
  /** Null until it is computed for the first time. */
  score: { total: number; parts: ScorePart[]; computedAt: string } | null;
}

const line = z.string().transform(cleanLine);

/** Body of `POST /api/collections`. */
export const collectionInputSchema = z.strictObject({
  title: line.pipe(z.string().min(1, 'expected a title').max(80, 'expected at most 80 characters')),
  description: z.string().trim().max(500, 'expected at most 500 characters').default(''),
  visibility: z.enum(['public', 'private']).default('private'),
  /** For admins alone: Parley recommends it to everybody. */
  isCurated: z.boolean().optional(),
});
export type CollectionInput = z.infer<typeof collectionInputSchema>;

/** Body of `PATCH /api/collections/{id}`: what is absent stays. */
export const collectionChangeSchema = z.strictObject({
  title: collectionInputSchema.shape.title.optional(),
  description: collectionInputSchema.shape.description.unwrap().optional(),
  visibility: collectionInputSchema.shape.visibility.unwrap().optional(),
  isCurated: z.boolean().optional(),
});
export type CollectionChange = z.infer<typeof collectionChangeSchema>;

/** A collection in a list. Times are ISO 8601. */
export interface CollectionSummary {
  id: string;
  title: string;
  description: string;
  visibility: 'public' | 'private';
  isCurated: boolean;
  /** Who keeps it; null when they have no public name. */
  keeper: string | null;
  isOwn: boolean;
  /** Agents in it that everybody can find. */
  agents: number;
  updatedAt: string;
  /** Whether it holds the agent that was asked for. */
  holds?: boolean;
}

/** One collection with what is in it, the latest first. */
export interface CollectionView extends CollectionSummary {
  items: ListedAgentView[];
}

/** An agent outside of a search. */
export type ListedAgentView = Omit<SearchResult, 'matchedSkill'>;
