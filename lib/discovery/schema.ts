import { z } from 'zod';
import { type AgentSummary, type Badge, badges } from '../catalog/schema';
import {
  DEFAULT_PAGE_SIZE,
  MAX_CURSOR_LENGTH,
  MAX_HANDLE_LENGTH,
  MAX_PAGE_SIZE,
  MAX_QUERY_LENGTH,
  MAX_TAG_FILTERS,
  MAX_TAG_LENGTH,
} from './limits';

/** `degraded`: the last probe or run failed. `down`: two probes failed in a row. */
export const healths = ['healthy', 'degraded', 'down', 'unknown'] as const;
export type Health = (typeof healths)[number];

/** Consequence for an agent that stays down: `maintenance` ranks last, `withheld` is excluded from search. */
export type EscalationStage = 'listed' | 'maintenance' | 'withheld';

/** Choices of the filter by last change, days. */
export const updatedDays = [7, 30, 90] as const;
/** Choices of the filter by minimum mean rating. */
export const minRatings = [4, 3, 2] as const;

const updated = z.enum(['7', '30', '90']);
const rating = z.enum(['4', '3', '2']);

export const sorts = ['relevance', 'best', 'used', 'rating', 'newest', 'name'] as const;
export type Sort = (typeof sorts)[number];

/** Query of `GET /api/agents` and of the catalogue page; the page's URL contains exactly these. */
export const searchQuerySchema = z.object({
  q: z.string().trim().max(MAX_QUERY_LENGTH).default(''),
  tag: z.array(z.string().trim().min(1).max(MAX_TAG_LENGTH)).max(MAX_TAG_FILTERS).default([]),
  capability: z.array(z.enum(badges)).max(badges.length).default([]),
  health: z.enum(healths).optional(),
  /** Whether the agent takes payments. */
  price: z.enum(['free', 'paid']).optional(),
  /** The publisher's handle. */
  publisher: z.string().trim().min(1).max(MAX_HANDLE_LENGTH).optional(),
  rating: rating.optional(),
  updated: updated.optional(),
  sort: z.enum(sorts).default('relevance'),
  limit: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE),
  cursor: z.string().max(MAX_CURSOR_LENGTH).optional(),
});
export type SearchQuery = z.infer<typeof searchQuerySchema>;

/** An agent's ranking in a list. Times are ISO 8601. */
export interface RankingSummary {
  health: Health;
  /** 0 to 100; null before the first computation. */
  score: number | null;
  /** Users and apps that called it within thirty days. */
  users: number;
  rating: { average: number; count: number } | null;
  isUnderMaintenance: boolean;
}

/** An item of the search results. */
export interface SearchResult extends AgentSummary {
  /** Name of the skill that matched best, if the match was in a skill. */
  matchedSkill: string | null;
  standing: RankingSummary;
}

/** Number of matches with a value. */
export interface FacetCount<Value> {
  value: Value;
  count: number;
}

/** Number of matches per further filter. */
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

/** The parts of the score. */
export const scoreKeys = ['reliability', 'use', 'reviews', 'owner', 'card', 'speed'] as const;
export type ScoreKey = (typeof scoreKeys)[number];

/** One part of the score: `points` is `value` (0 to 1) times `weight`. */
export interface ScorePart {
  key: ScoreKey;
  value: number;
  weight: number;
  points: number;
  /** True while the value is unknown and a default applies. */
  isAssumed: boolean;
  /** For the part `card`: missing fields. */
  missing?: MissingField[];
}

export type MissingField = 'description' | 'skills' | 'examples' | 'tags' | 'documentation' | 'provider' | 'signature';

/** `GET /api/agents/{slug}/standing`. Times are ISO 8601, shares 0 to 1. */
export interface AgentRanking {
  /** True for the agent's team. */
  isOwn: boolean;
  health: Health;
  rung: EscalationStage;
  /** Null before the first probe. */
  checked: { at: string; by: 'reach' | 'run' } | null;
  failingSince: string | null;
  /** Intervals of probes, seconds; null where probes are off. */
  intervals: { reachSeconds: number; runSeconds: number } | null;
  uptime: { share: number; checks: number; days: number } | null;
  /** Of the successful probes of the last `days`. */
  latency: { p50Ms: number; p95Ms: number; days: number } | null;
  /** Days with probes, oldest first. */
  history: { day: string; checks: number; good: number; p50Ms: number | null }[];
  use: { users: number; calls: number; success: number | null; days: number };
  rating: { average: number; count: number } | null;
  /** Null before the first computation. */
  score: { total: number; parts: ScorePart[]; computedAt: string } | null;
}

/** An agent in a list that is not a search. */
export type ListedAgentView = Omit<SearchResult, 'matchedSkill'>;
