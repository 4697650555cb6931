import { z } from 'zod';
import { findAgent } from '../../catalog';
import { cursorTime, defineCursor } from '../../platform/db/cursor';
import { MAX_PAGE_SIZE } from '../limits';

/** The cursors of orders and of sales, newest first. */
export const orderCursor = defineCursor({
  list: 'orders',
  position: z.object({ createdAt: cursorTime, id: z.string().regex(/^ord_[0-9a-z]{1,30}$/) }),
});

/** Items of all pages, read page by page so that memory stays bounded. */
export async function* readPages<Item>(
  readPage: (page: { cursor: string | undefined; limit: number }) => Promise<{
    items: Item[];
    nextCursor: string | null;
  }>,
): AsyncGenerator<Item> {
  for (let cursor: string | undefined; ; ) {
    const page: Awaited<ReturnType<typeof readPage>> = await readPage({ cursor, limit: MAX_PAGE_SIZE });
    yield* page.items;
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}

/** The id for a filter's `agent`: a slug, or the id that orders contain for a deleted agent. Others match no order. */
export async function agentIdOfFilter(agent: string | undefined): Promise<string | undefined> {
  if (agent === undefined || /^agt_[0-9a-z]{1,30}$/.test(agent)) return agent;
  return (await findAgent(agent))?.id ?? 'agt_unknown';
}
