import type { z } from 'zod';

/** The query that Next passes to a page. */
export type ListQuery = Promise<Record<string, string | string[] | undefined>>;

export interface ReadListQuery<Filter> {
  filter: Filter;
  /** The filter without the cursor, as query parameters. */
  query: URLSearchParams;
  /** The URL of this page. */
  here: string;
  /** Returns the URL of the list from a cursor; from the start for null. */
  hrefOf: (cursor: string | null) => string;
}

/** Reads the filter of a list page. Empty and invalid parameters are ignored. */
export function readListQuery<Schema extends z.ZodObject>(
  path: string,
  schema: Schema,
  given: Awaited<ListQuery>,
): ReadListQuery<z.infer<Schema>> {
  const chosen = Object.entries(given).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '' && entry[0] in schema.shape,
  );
  const valid = chosen.filter(([name, value]) => schema.safeParse({ [name]: value }).success);
  const query = new URLSearchParams(valid.filter(([name]) => name !== 'cursor'));
  const hrefOf = (cursor: string | null): string => {
    const next = new URLSearchParams(query);
    if (cursor) next.set('cursor', cursor);
    return next.size > 0 ? `${path}?${next}` : path;
  };
  const filter = schema.parse(Object.fromEntries(valid));
  return { filter, query, here: hrefOf(valid.find(([name]) => name === 'cursor')?.[1] ?? null), hrefOf };
}
