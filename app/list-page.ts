import { z } from 'zod';

/** Query of a page that displays a part of a short list, which is loaded completely. */
export const listPageSchema = z.object({
  q: z.string().trim().min(1).max(100).optional(),
  page: z.coerce.number().int().min(1).max(1_000).optional(),
});

interface ListPage<Item> {
  items: Item[];
  /** The number of all items, and of the items that match the search. */
  total: number;
  matching: number;
  firstHref: string | null;
  nextHref: string | null;
}

interface ListPageOptions<Item> {
  path: string;
  filter: z.infer<typeof listPageSchema>;
  size: number;
  /** The text that a search compares. */
  textOf: (item: Item) => string;
}

/** Returns the items of one page that contain all words of the search. */
export function pageOfList<Item>(
  all: Item[],
  { path, filter: { q, page = 1 }, size, textOf }: ListPageOptions<Item>,
): ListPage<Item> {
  const words = (q ?? '').toLowerCase().split(/\s+/);
  const matching = all.filter((item) => {
    const text = textOf(item).toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const hrefOf = (next: number): string => {
    const query = new URLSearchParams({ ...(q ? { q } : {}), ...(next > 1 ? { page: String(next) } : {}) });
    return query.size > 0 ? `${path}?${query}` : path;
  };
  return {
    items: matching.slice((page - 1) * size, page * size),
    total: all.length,
    matching: matching.length,
    firstHref: page > 1 ? hrefOf(1) : null,
    nextHref: matching.length > page * size ? hrefOf(page + 1) : null,
  };
}
