import { json, nullable, type RowOf, row, text, textArray, timestamptz } from '../../platform/db/rows';
import { MAX_ARD_CAPABILITIES, MAX_ARD_CARD_BYTES, MAX_ARD_QUERIES } from '../limits';

const ardRow = row({
  agentId: text(),
  slug: text(),
  name: text(),
  nameKey: text(),
  description: text(),
  version: text(),
  tags: textArray(),
  skillNames: textArray(),
  /** The first example of each skill, followed by all others; null if there is no card of readable size. */
  firstExamples: nullable(json<unknown[]>()),
  moreExamples: nullable(json<unknown[]>()),
  createdAt: timestamptz(),
  updatedAt: timestamptz(),
});

/** A public agent with the data for ARD. */
export type ArdRow = RowOf<typeof ardRow>;

// Cards are read in the database and only if they are small, because thousands may be read for one document.
const examplesOf = (path: string): string =>
  `CASE WHEN pg_column_size(v.card) <= ${MAX_ARD_CARD_BYTES} THEN jsonb_path_query_array(v.card, '${path}') END`;

const columns = `s.agent_id AS "agentId", a.slug, a.name, s.name_key AS "nameKey", a.description, a.version, a.tags,
  s.skill_names[1:${MAX_ARD_CAPABILITIES}] AS "skillNames",
  ${examplesOf(`$.skills[0 to ${MAX_ARD_QUERIES - 1}].examples[0]`)} AS "firstExamples",
  ${examplesOf(`$.skills[0 to ${MAX_ARD_QUERIES - 1}].examples[1 to ${MAX_ARD_QUERIES - 1}]`)} AS "moreExamples",
  s.created_at AS "createdAt", a.updated_at AS "updatedAt"`;

/** Only public agents that are not withheld have a row in this table. */
const fromArd = `FROM agent_search s JOIN agent a ON a.id = s.agent_id JOIN agent_version v ON v.id = a.current_version_id
  WHERE NOT s.is_withheld`;

/** Returns the public agents with these slugs, in any order. */
export async function selectArdRows(slugs: string[]): Promise<ArdRow[]> {
  if (slugs.length === 0) return [];
  return ardRow.query('ard-by-slug', `SELECT ${columns} ${fromArd} AND a.slug = ANY($1)`, [slugs]);
}

/** The orders in which a list of agents for ARD can be requested. */
export const ardOrders = ['createdAt DESC', 'displayName'] as const;
type ArdOrder = (typeof ardOrders)[number];

/** A list of public agents. */
interface ArdListRequest {
  order: ArdOrder;
  limit: number;
  /** The last agent of the page before. */
  after?: Pick<ArdRow, 'agentId' | 'nameKey' | 'createdAt'>;
  /** The folded start of the name. */
  namePrefix?: string;
  createdAfter?: Date;
  updatedAfter?: Date;
}

/** Returns the public agents of a page. */
export async function selectArdList(request: ArdListRequest): Promise<ArdRow[]> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const { order, limit, after, namePrefix, createdAfter, updatedAfter } = request;
  const byName = order === 'displayName';
  const conditions: string[] = [];
  if (namePrefix) conditions.push(`s.name_key ^@ ${bind(namePrefix)}`);
  if (createdAfter) conditions.push(`s.created_at > ${bind(createdAfter)}::timestamptz`);
  if (updatedAfter) conditions.push(`s.updated_at > ${bind(updatedAfter)}::timestamptz`);
  if (after && byName)
    conditions.push(`(s.name_key, s.agent_id) > (${bind(after.nameKey)} COLLATE "C", ${bind(after.agentId)})`);
  else if (after)
    conditions.push(`(s.created_at, s.agent_id) < (${bind(after.createdAt)}::timestamptz, ${bind(after.agentId)})`);
  const where = conditions.map((condition) => ` AND ${condition}`).join('');
  const sort = byName ? 's.name_key, s.agent_id' : 's.created_at DESC, s.agent_id DESC';
  return ardRow.queryUnprepared(`SELECT ${columns} ${fromArd}${where} ORDER BY ${sort} LIMIT ${bind(limit)}`, values);
}

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

/** Only public agents that are not withheld have a row in this table. */
const mcpServers = `SELECT s.agent_id AS "agentId", a.slug, a.name, a.description, a.version, s.created_at AS "createdAt",
    a.updated_at AS "updatedAt"
  FROM agent_search s JOIN agent a ON a.id = s.agent_id WHERE NOT s.is_withheld`;

/** Returns the public agents with these slugs, in any order. */
export async function selectMcpServersBySlug(slugs: string[]): Promise<McpServerRow[]> {
  if (slugs.length === 0) return [];
  return mcpServerRow.query('mcp-servers-by-slug', `${mcpServers} AND a.slug = ANY($1)`, [slugs]);
}

interface McpServerPage {
  limit: number;
  /** The last agent of the page before. */
  after: Pick<McpServerRow, 'agentId' | 'createdAt'> | undefined;
  updatedSince: Date | undefined;
}

/** Returns the public agents of a page, newest first. */
export async function selectMcpServers({ limit, after, updatedSince }: McpServerPage): Promise<McpServerRow[]> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const conditions: string[] = [];
  if (updatedSince) conditions.push(`a.updated_at >= ${bind(updatedSince)}::timestamptz`);
  if (after)
    conditions.push(`(s.created_at, s.agent_id) < (${bind(after.createdAt)}::timestamptz, ${bind(after.agentId)})`);
  const where = conditions.map((condition) => ` AND ${condition}`).join('');
  return mcpServerRow.queryUnprepared(
    `${mcpServers}${where} ORDER BY s.created_at DESC, s.agent_id DESC LIMIT ${bind(limit)}`,
    values,
  );
}
