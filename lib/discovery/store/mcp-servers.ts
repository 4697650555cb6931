import { type RowOf, row, text, timestamptz } from '../../platform/db/rows';

const mcpServerRow = row({
  agentId: text(),
  slug: text(),
  name: text(),
  description: text(),
  version: text(),
  createdAt: timestamptz(),
  updatedAt: timestamptz(),
});

/** A public agent with the data for a registry of MCP servers. */
export type McpServerRow = RowOf<typeof mcpServerRow>;

/** Only public agents that are not withheld have a row here. */
const listed = `SELECT s.agent_id AS "agentId", a.slug, a.name, a.description, a.version, s.created_at AS "createdAt",
    a.updated_at AS "updatedAt"
  FROM agent_search s JOIN agent a ON a.id = s.agent_id WHERE NOT s.is_withheld`;

/** The public agents with these slugs, in any order. */
export async function selectMcpServersBySlug(slugs: string[]): Promise<McpServerRow[]> {
  if (slugs.length === 0) return [];
  return mcpServerRow.query('mcp-servers-by-slug', `${listed} AND a.slug = ANY($1)`, [slugs]);
}

interface McpServerPage {
  limit: number;
  /** The last agent of the page before. */
  after: Pick<McpServerRow, 'agentId' | 'createdAt'> | undefined;
  updatedSince: Date | undefined;
}

/** The public agents of a page, newest first. */
export async function selectMcpServers({ limit, after, updatedSince }: McpServerPage): Promise<McpServerRow[]> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const conditions: string[] = [];
  if (updatedSince) conditions.push(`a.updated_at >= ${bind(updatedSince)}::timestamptz`);
  if (after)
    conditions.push(`(s.created_at, s.agent_id) < (${bind(after.createdAt)}::timestamptz, ${bind(after.agentId)})`);
  const where = conditions.map((condition) => ` AND ${condition}`).join('');
  return mcpServerRow.queryUnprepared(
    `${listed}${where} ORDER BY s.created_at DESC, s.agent_id DESC LIMIT ${bind(limit)}`,
    values,
  );
}
