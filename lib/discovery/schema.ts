import { z } from 'zod';
import { badges } from '../catalog/schema';
import {
  DEFAULT_PAGE_SIZE,
  MAX_CURSOR_LENGTH,
  MAX_HANDLE_LENGTH,
  MAX_PAGE_SIZE,
  MAX_QUERY_LENGTH,
  MAX_TAG_FILTERS,
  MAX_TAG_LENGTH,
} from './limits';
import { healths, listedAgentSchema } from './schema-rankings';

/** The slug of the built-in agent that finds another agent for a message (lib/concierge). */
export const CONCIERGE_SLUG = 'concierge';

/** Choices of the filter by last change, days. */
export const updatedDays = [7, 30, 90] as const;
/** Choices of the filter by minimum mean rating. */
export const minRatings = [4, 3, 2] as const;

/** Choices of the filter by price. */
export const prices = ['free', 'paid'] as const;
export type Price = (typeof prices)[number];

const updated = z.enum(['7', '30', '90']);
const rating = z.enum(['4', '3', '2']);

export const sorts = ['relevance', 'best', 'used', 'rating', 'newest', 'name'] as const;
export type Sort = (typeof sorts)[number];

/** Query of `GET /api/agents` and of the catalog page; the page's URL contains exactly these parameters. */
export const searchQuerySchema = z.object({
  q: z.string().trim().max(MAX_QUERY_LENGTH).default(''),
  tag: z.array(z.string().trim().min(1).max(MAX_TAG_LENGTH)).max(MAX_TAG_FILTERS).default([]),
  capability: z.array(z.enum(badges)).max(badges.length).default([]),
  health: z.enum(healths).optional(),
  price: z
    .enum(prices)
    .optional()
    .describe('free: every skill is listed as free; paid: the agent lists a price or takes payments'),
  /** Agents that connect to Parley and have a worker connected. */
  presence: z.enum(['online']).optional(),
  /** The publisher's handle. */
  publisher: z.string().trim().min(1).max(MAX_HANDLE_LENGTH).optional(),
  rating: rating.optional(),
  updated: updated.optional(),
  sort: z.enum(sorts).default('relevance'),
  /** `1` while the words are being typed, in which case up to two words are matched as written. */
  typing: z.enum(['1']).optional(),
  limit: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE),
  cursor: z.string().max(MAX_CURSOR_LENGTH).optional(),
});
export type SearchQuery = z.infer<typeof searchQuerySchema>;

/**
 * The fit of a result to its search (lib/discovery/ranking/fit.ts): it fits, it might fit, or it is only one of the
 * closest agents.
 */
const fit = z.enum(['fits', 'might_fit', 'closest']);
export type Fit = z.infer<typeof fit>;

/** The reason for a match. */
const matchSchema = z.object({
  score: z.number().describe('`semantic` + 0.25 · `words` + up to 0.02 for the ranking'),
  semantic: z
    .number()
    .nullable()
    .describe('Cosine similarity of query and skill; null if semantic search was not used'),
  words: z.number().describe('Share of the query words that occur, weighted by rarity, from 0 to 1'),
  distance: z
    .number()
    .describe('`semantic` + 0.25 · `words` above the average agent of the catalog, in standard deviations'),
});

/** A search with the filters that only ARD has. */
export interface AgentSearch extends SearchQuery {
  /** Any of these tags. */
  anyTag?: string[];
  /** A skill with any of these names. */
  skill?: string[];
}

/** An item of the search results. */
const searchResultSchema = listedAgentSchema.extend({
  /** Null for a search without words. */
  fit: fit.nullable().describe('Whether the agent fits the search, might fit, or is only one of the closest ones'),
  /** Null if the match was not in a skill, and for an agent that is only one of the closest ones. */
  matchedSkill: z.string().nullable().describe('The skill whose name or text matched best'),
  /** Null if the results are not in order of relevance, or were matched only by words. */
  match: matchSchema.nullable(),
});
export type SearchResult = z.infer<typeof searchResultSchema>;

/** A value of a facet, and the number of matches with this value. */
export interface FacetCount<Value> {
  value: Value;
  count: number;
}

function countOf<Value extends z.ZodType>(value: Value): z.ZodObject<{ value: Value; count: z.ZodInt }> {
  return z.object({ value, count: z.int() });
}

const facetsSchema = z.object({
  tags: z.array(countOf(z.string())),
  capabilities: z.array(countOf(z.enum(badges))),
  health: z.array(countOf(z.enum(healths))),
  price: z.array(countOf(z.enum(prices))),
  presence: z.array(countOf(z.enum(['online']))),
  rating: z.array(countOf(rating)),
  updated: z.array(countOf(updated)),
  publishers: z.array(countOf(z.string()).extend({ name: z.string() })),
});
export type Facets = z.infer<typeof facetsSchema>;

/** One page of results. `total` counts all matches (capped, see `totalIsCapped`), and facets count the same matches. */
export const searchPageSchema = z.object({
  items: z.array(searchResultSchema),
  nextCursor: z.string().nullable(),
  total: z.int(),
  totalIsCapped: z.boolean(),
  facets: facetsSchema.describe('Number of matches for each additional filter'),
  /** `skipped`: a search without words, in another order, still being typed, or in a language without translation. */
  semantic: z.enum(['on', 'off', 'unavailable', 'skipped']).describe('Whether semantic search was used'),
  isWeak: z.boolean().describe('Nothing fits or might fit; the items are the closest agents'),
});
export type SearchPage = z.infer<typeof searchPageSchema>;

/** The suggestions for a search without results. */
export interface SearchHelp {
  /** The most frequent tags. */
  tags: string[];
  /** False if no agent is listed. */
  hasAgents: boolean;
  /** The slug of the concierge; null if it is not listed. */
  concierge: string | null;
}
