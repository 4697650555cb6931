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

/** Choices of the filter by last change, days. */
export const updatedDays = [7, 30, 90] as const;
/** Choices of the filter by minimum mean rating. */
export const minRatings = [4, 3, 2] as const;

const updated = z.enum(['7', '30', '90']);
const rating = z.enum(['4', '3', '2']);

export const sorts = ['relevance', 'best', 'used', 'rating', 'newest', 'name'] as const;
export type Sort = (typeof sorts)[number];

/** Query of `GET /api/agents` and of the catalog page; the page's URL contains exactly these. */
export const searchQuerySchema = z.object({
  q: z.string().trim().max(MAX_QUERY_LENGTH).default(''),
  tag: z.array(z.string().trim().min(1).max(MAX_TAG_LENGTH)).max(MAX_TAG_FILTERS).default([]),
  capability: z.array(z.enum(badges)).max(badges.length).default([]),
  health: z.enum(healths).optional(),
  /** Whether the agent takes payments. */
  price: z.enum(['free', 'paid']).optional(),
  /** Agents that connect to Parley and have a worker connected. */
  presence: z.enum(['online']).optional(),
  /** The publisher's handle. */
  publisher: z.string().trim().min(1).max(MAX_HANDLE_LENGTH).optional(),
  rating: rating.optional(),
  updated: updated.optional(),
  sort: z.enum(sorts).default('relevance'),
  limit: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE),
  cursor: z.string().max(MAX_CURSOR_LENGTH).optional(),
});
export type SearchQuery = z.infer<typeof searchQuerySchema>;

/** An item of the search results. */
const searchResultSchema = listedAgentSchema.extend({
  /** Null when the match was not in a skill. */
  matchedSkill: z.string().nullable().describe('Whose name or text matched best'),
});
export type SearchResult = z.infer<typeof searchResultSchema>;

/** Number of matches with a value. */
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
  price: z.array(countOf(z.enum(['free', 'paid']))),
  presence: z.array(countOf(z.enum(['online']))),
  rating: z.array(countOf(rating)),
  updated: z.array(countOf(updated)),
  publishers: z.array(countOf(z.string()).extend({ name: z.string() })),
});
export type Facets = z.infer<typeof facetsSchema>;

/** One page of results. `total` counts all matches (capped, see `totalIsCapped`); facets count the same matches. */
export const searchPageSchema = z.object({
  items: z.array(searchResultSchema),
  nextCursor: z.string().nullable(),
  total: z.int(),
  totalIsCapped: z.boolean(),
  facets: facetsSchema.describe('How many matches each further filter would leave'),
});
export type SearchPage = z.infer<typeof searchPageSchema>;
