import { query } from '../../platform/sql';

/** An agent that everybody can find, and when it changed. */
export interface ListedAgent {
  slug: string;
  updatedAt: Date;
}

/** How many agents everybody can find. */
export async function countListed(): Promise<number> {
  const [row] = await query<{ count: number }>('search-count', 'SELECT count(*) AS count FROM agent_search');
  return row?.count ?? 0;
}

/** The agents that everybody can find, in the order of their ids. */
export async function selectListed({ offset, limit }: { offset: number; limit: number }): Promise<ListedAgent[]> {
  return query<ListedAgent>(
    'search-listed',
    `SELECT a.slug, a.updated_at AS "updatedAt" FROM agent_search s JOIN agent a ON a.id = s.agent_id
     ORDER BY s.agent_id OFFSET $1 LIMIT $2`,
    [offset, limit],
  );
}
