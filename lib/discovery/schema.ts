import { z } from 'zod';
import { type AgentSummary, type Badge, badges } from '../catalog/schema';

/** Longest search text that is looked at (LIM-7). */
export const MAX_QUERY_LENGTH = 200;

/** Query of `GET /api/agents` and of the catalogue page; the page keeps exactly these in its URL. */
export const searchQuerySchema = z.object({
  q: z.string().trim().max(MAX_QUERY_LENGTH).default(''),
  tag: z.array(z.string().trim().min(1).max(40)).max(10).default([]),
  capability: z.array(z.enum(badges)).max(badges.length).default([]),
  sort: z.enum(['relevance', 'newest', 'name']).default('relevance'),
  limit: z.coerce.number().int().min(1).max(100).default(24),
  cursor: z.string().max(4000).optional(),
});
export type SearchQuery = z.infer<typeof searchQuerySchema>;

export interface SearchResult extends AgentSummary {
  /** Name of the skill that matched best, when the match was in a skill. */
  matchedSkill: string | null;
}

/** One page of results. `total` counts all matches (capped, see `totalIsCapped`). */
export interface SearchPage {
  items: SearchResult[];
  nextCursor: string | null;
  total: number;
  totalIsCapped: boolean;
  facets: { tags: { value: string; count: number }[]; capabilities: { value: Badge; count: number }[] };
}
