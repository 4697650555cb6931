import { normaliseTag } from '@/lib/catalog/schema';
import { MAX_QUERY_LENGTH, type SearchQuery, searchQuerySchema } from '@/lib/discovery/schema';
import { routes } from '../shell/routes';

export type SearchParams = Record<string, string | string[] | undefined>;

const parts = searchQuerySchema.shape;

/** The query in a page's URL. A page is no API: what it cannot read falls back to the default, part by part. */
export function readCatalogueQuery(params: SearchParams): SearchQuery {
  const cursor = parts.cursor.safeParse(one(params.cursor) || undefined);
  const sort = parts.sort.safeParse(one(params.sort));
  const limit = parts.limit.safeParse(one(params.limit));
  return {
    q: parts.q.parse((one(params.q) ?? '').trim().slice(0, MAX_QUERY_LENGTH)),
    tag: many(params.tag, (value) => parts.tag.safeParse([value]).success, normaliseTag).slice(0, 10),
    capability: parts.capability.parse(many(params.capability, (value) => parts.capability.safeParse([value]).success)),
    sort: sort.success ? sort.data : 'relevance',
    limit: limit.success ? limit.data : parts.limit.parse(undefined),
    cursor: cursor.success ? cursor.data : undefined,
  };
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

/** The catalogue's URL for a query; defaults stay out of it. A change of anything but the cursor starts at the first page. */
export function catalogueHref(query: SearchQuery, change: Partial<SearchQuery> = {}): string {
  const { q, tag, capability, sort, limit, cursor } = { ...query, cursor: undefined, ...change };
  const params = new URLSearchParams();
  if (q) params.set('q', q);
  for (const value of tag) params.append('tag', value);
  for (const value of capability) params.append('capability', value);
  if (sort !== 'relevance') params.set('sort', sort);
  if (limit !== parts.limit.parse(undefined)) params.set('limit', String(limit));
  if (cursor) params.set('cursor', cursor);
  return params.size > 0 ? `${routes.catalogue}?${params}` : routes.catalogue;
}

/** The list without the value when it is in it, else with it. */
export function toggled<Value>(list: Value[], value: Value): Value[] {
  return list.includes(value) ? list.filter((item) => item !== value) : [...list, value];
}
