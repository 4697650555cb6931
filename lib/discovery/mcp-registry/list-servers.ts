import { z } from 'zod';
import type { Ctx } from '../../platform/context';
import { cursorText, cursorTime, defineCursor } from '../../platform/db/cursor';
import type { McpServerEntry, McpServerList, McpServerQuery } from '../../protocol/mcp/server-registry';
import { MAX_CURSOR_ID_LENGTH, MAX_CURSOR_LENGTH } from '../limits';
import { searchQuerySchema } from '../schema';
import { searchAgents } from '../search/search-agents';
import { type McpServerRow, selectMcpServers, selectMcpServersBySlug } from '../store/mcp-servers';
import { ownServerEntry, toServerEntry } from './server-entries';

/**
 * The cursor of a page: the cursor of its agents, empty for their first page. Parley's own server precedes all agents.
 */
const pageCursor = defineCursor({ list: 'mcp-servers', position: z.object({ agents: cursorText(MAX_CURSOR_LENGTH) }) });

const agentCursor = defineCursor({
  list: 'mcp-server-agents',
  position: z.object({ createdAt: cursorTime, agentId: cursorText(MAX_CURSOR_ID_LENGTH) }),
});

interface AgentPage {
  rows: McpServerRow[];
  nextCursor: string | null;
}

interface AgentQuery {
  limit: number;
  cursor: string | undefined;
  updatedSince: Date | undefined;
}

/**
 * The MCP servers of this Parley: its own, then those of public agents, newest first. `search` is a search of the
 * market. Each has one version, so `latest` matches all.
 * @throws {ParleyError} `invalid_request` for a cursor of another list
 */
export async function listMcpServers({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'now'>;
  input: McpServerQuery;
}): Promise<McpServerList> {
  const { cursor, limit, search, version } = input;
  const own = cursor === undefined && isOwnFound(search) ? [ownServerEntry()] : [];
  const agents: AgentQuery = {
    limit: limit - own.length,
    cursor: (cursor && pageCursor.decode(cursor).agents) || undefined,
    updatedSince: input.updated_since,
  };
  const { rows, nextCursor } = await readAgents(agents, { ctx, search });
  const hasVersion = ({ server }: McpServerEntry): boolean =>
    version === undefined || version === 'latest' || version === server.version;
  const servers = [...own, ...rows.map(toServerEntry)].filter(hasVersion);
  return {
    servers,
    metadata: {
      count: servers.length,
      ...(nextCursor !== null && { nextCursor: pageCursor.encode({ agents: nextCursor }) }),
    },
  };
}

function isOwnFound(search = ''): boolean {
  const { name, title } = ownServerEntry().server;
  return `${name} ${title}`.toLowerCase().includes(search.toLowerCase());
}

async function readAgents(
  query: AgentQuery,
  { ctx, search }: { ctx: Pick<Ctx, 'now'>; search: string | undefined },
): Promise<AgentPage> {
  if (query.limit === 0) return { rows: [], nextCursor: '' };
  return search ? findAgents(search, { ctx, query }) : listAgents(query);
}

async function listAgents({ limit, cursor, updatedSince }: AgentQuery): Promise<AgentPage> {
  const after = cursor === undefined ? undefined : agentCursor.decode(cursor);
  return agentCursor.pageOf(await selectMcpServers({ limit: limit + 1, after, updatedSince }), limit);
}

async function findAgents(
  q: string,
  { ctx, query: { limit, cursor, updatedSince } }: { ctx: Pick<Ctx, 'now'>; query: AgentQuery },
): Promise<AgentPage> {
  const page = await searchAgents({ ctx, input: searchQuerySchema.parse({ q, limit, cursor }) });
  // The closest agents match none of the words.
  if (page.isWeak) return { rows: [], nextCursor: null };
  const found = new Map(
    (await selectMcpServersBySlug(page.items.map(({ slug }) => slug))).map((row) => [row.slug, row]),
  );
  const rows = page.items.flatMap(({ slug }) => found.get(slug) ?? []);
  return {
    rows: rows.filter(({ updatedAt }) => updatedSince === undefined || updatedAt >= updatedSince),
    nextCursor: page.nextCursor,
  };
}
