import { query } from '../../platform/sql';

/** An agent that everybody can find, and when it changed. */
export interface SitemapEntry {
  slug: string;
  updatedAt: Date;
}

/** How many agents everybody can find. */
export async function countSitemapEntries(): Promise<number> {
  const [row] = await query<{ count: number }>('search-count', 'SELECT count(*) AS count FROM agent_search');
  return row?.count ?? 0;
}

/** The agents that everybody can find, in the order of their ids. */
export async function selectSitemapEntries({
  offset,
  limit,
}: {
  offset: number;
  limit: number;
}): Promise<SitemapEntry[]> {
  return query<SitemapEntry>(
    'search-listed',
    `SELECT a.slug, a.updated_at AS "updatedAt" FROM agent_search s JOIN agent a ON a.id = s.agent_id
     ORDER BY s.agent_id OFFSET $1 LIMIT $2`,
    [offset, limit],
  );
}
