/** Maximum rows of a settings list per page. */
const pageSize = 25;
/** Minimum length of a list with a search. */
const searchFrom = 10;

/** The part of a list that a page shows. */
export interface ListPage<Item> {
  path: string;
  shown: Item[];
  /** The search; empty without one. */
  q: string;
  /** True if the list is long enough for a search. */
  searchable: boolean;
  firstHref: string | null;
  nextHref: string | null;
}

interface ListQuery {
  q?: string | string[] | undefined;
  page?: string | string[] | undefined;
}

/**
 * The page of a list that `query` asks for. An item matches if its text has every word of the search. Pages beyond the
 * last one and invalid ones are the first.
 */
export function pageOfList<Item>(
  path: string,
  items: readonly Item[],
  { query, textOf }: { query: ListQuery; textOf: (item: Item) => string },
): ListPage<Item> {
  const q = typeof query.q === 'string' ? query.q.trim() : '';
  const words = q.toLowerCase().split(/\s+/);
  const found = items.filter((item) => {
    const text = textOf(item).toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const pages = Math.max(1, Math.ceil(found.length / pageSize));
  const asked = Number(query.page);
  const page = Number.isInteger(asked) && asked >= 1 && asked <= pages ? asked : 1;
  const hrefOf = (to: number): string => {
    const next = new URLSearchParams({ ...(q ? { q } : {}), ...(to > 1 ? { page: String(to) } : {}) });
    return next.size > 0 ? `${path}?${next}` : path;
  };
  return {
    path,
    shown: found.slice((page - 1) * pageSize, page * pageSize),
    q,
    searchable: items.length > searchFrom,
    firstHref: page > 1 ? hrefOf(1) : null,
    nextHref: page < pages ? hrefOf(page + 1) : null,
  };
}
