import type { z } from 'zod';
import { normalizeTag } from '@/lib/catalog/schema-registration';
import { MAX_QUERY_LENGTH } from '@/lib/discovery/limits';
import { type SearchQuery, searchQuerySchema } from '@/lib/discovery/schema';
import { routes } from '../../routes';

export type SearchParams = Record<string, string | string[] | undefined>;

const parts = searchQuerySchema.shape;

/** Reads the query of a page URL. Unlike in an API, invalid parameters individually fall back to their defaults. */
export function readCatalogQuery(params: SearchParams): SearchQuery {
  return {
    q: parts.q.parse((one(params.q) ?? '').trim().slice(0, MAX_QUERY_LENGTH)),
    tag: many(params.tag, (value) => parts.tag.safeParse([value]).success, normalizeTag).slice(0, 10),
    capability: parts.capability.parse(many(params.capability, (value) => parts.capability.safeParse([value]).success)),
    health: read(parts.health, params.health),
    price: read(parts.price, params.price),
    presence: read(parts.presence, params.presence),
    publisher: read(parts.publisher, params.publisher),
    rating: read(parts.rating, params.rating),
    updated: read(parts.updated, params.updated),
    typing: read(parts.typing, params.typing),
    sort: read(parts.sort, params.sort) ?? parts.sort.parse(undefined),
    limit: read(parts.limit, params.limit) ?? parts.limit.parse(undefined),
    cursor: read(parts.cursor, params.cursor),
  };
}

function read<Value>(part: z.ZodType<Value>, value: string | string[] | undefined): Value | undefined {
  const parsed = part.safeParse(one(value) || undefined);
  return parsed.success ? parsed.data : undefined;
}

function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function many(
  value: string | string[] | undefined,
  keep: (value: string) => boolean,
  clean: (value: string) => string = String,
): string[] {
  const list = value === undefined ? [] : [value].flat();
  return [...new Set(list.map(clean).filter(keep))];
}

/**
 * Returns the catalog URL of a query, without defaults. Any change except that of the cursor resets to the first page.
 */
export function catalogHref(query: SearchQuery, change: Partial<SearchQuery> = {}): string {
  const { q, tag, capability, typing, sort, limit, cursor, ...single } = { ...query, cursor: undefined, ...change };
  const params = new URLSearchParams();
  if (q) params.set('q', q);
  for (const value of tag) params.append('tag', value);
  for (const value of capability) params.append('capability', value);
  for (const name of singleFilters) if (single[name]) params.set(name, single[name]);
  if (sort !== 'relevance') params.set('sort', sort);
  if (limit !== parts.limit.parse(undefined)) params.set('limit', String(limit));
  // A cursor is valid only for the same search, which is either finished or still being typed.
  if (cursor && typing) params.set('typing', typing);
  if (cursor) params.set('cursor', cursor);
  return params.size > 0 ? `${routes.catalog}?${params}` : routes.catalog;
}

/** Single-value filters. */
export const singleFilters = ['presence', 'health', 'price', 'rating', 'updated', 'publisher'] as const;

/** A query without filters. */
export const noFilters: Partial<SearchQuery> = {
  tag: [],
  capability: [],
  ...Object.fromEntries(singleFilters.map((name) => [name, undefined])),
};

/** Returns number of active filters. */
export function countFilters(query: SearchQuery): number {
  return query.tag.length + query.capability.length + singleFilters.filter((name) => query[name]).length;
}

/** Returns the list with the value toggled. */
export function toggled<Value>(list: Value[], value: Value): Value[] {
  return list.includes(value) ? list.filter((item) => item !== value) : [...list, value];
}
