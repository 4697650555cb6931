import { z } from 'zod';
import type { Ctx } from '../platform/context';
import { cursorText, cursorTime, defineCursor } from '../platform/db/cursor';
import { ParleyError } from '../platform/errors';
import { env } from '../platform/runtime/env';
import { cleanLine, truncate } from '../protocol/a2a/cards/clean-text';
import {
  MAX_SERVER_TEXT,
  type McpServerEntry,
  type McpServerList,
  type McpServerQuery,
  SERVER_SCHEMA_URL,
  serverNamespaceOf,
  serverVersionOf,
} from '../protocol/mcp/server-registry';
import { MAX_CURSOR_ID_LENGTH, MAX_CURSOR_LENGTH } from './limits';
import { searchQuerySchema } from './schema';
import { searchAgents } from './search-agents';
import { type McpServerRow, selectMcpServers, selectMcpServersBySlug } from './store/registry-rows';

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
 * Lists the MCP servers of this Parley deployment: its own, then those of public agents, newest first. `search` is a
 * search of the market. Each server has one version, so `latest` matches all.
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
  // The nearest agents match none of the words.
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

/**
 * Returns the entry of a server. Its only version can also be requested as `latest`.
 * @throws {ParleyError} `not_found` for another name or version
 */
export async function getMcpServer({ input }: { input: { name: string; version: string } }): Promise<McpServerEntry> {
  const { name, version } = input;
  const named = serverNamed(name);
  const [row] = named?.kind === 'agent' ? await selectMcpServersBySlug([named.slug]) : [];
  const entry = named?.kind === 'parley' ? ownServerEntry() : row && toServerEntry(row);
  if (!entry) throw new ParleyError('not_found', 'Server not found. Check the name.');
  if (version !== 'latest' && version !== entry.server.version)
    throw new ParleyError('not_found', `Version not found. The latest is ${entry.server.version}.`);
  return entry;
}

/** The name of Parley's own server. No agent can have this slug. */
const OWN_NAME = 'parley';
/** The version of a server whose card contains no version that `server.json` accepts. */
const UNSTATED_VERSION = '1.0.0';

/** Returns the resource that the name of a server denotes; null for names of other hosts. */
function serverNamed(name: string): { kind: 'parley' } | { kind: 'agent'; slug: string } | null {
  const prefix = nameOf('');
  if (!name.startsWith(prefix)) return null;
  const slug = name.slice(prefix.length);
  return slug === OWN_NAME ? { kind: 'parley' } : { kind: 'agent', slug };
}

/** Returns the entry of an agent's own MCP endpoint. */
function toServerEntry(row: McpServerRow): McpServerEntry {
  const title = truncate(cleanLine(row.name), MAX_SERVER_TEXT) || row.slug;
  return {
    server: {
      $schema: SERVER_SCHEMA_URL,
      name: nameOf(row.slug),
      title,
      description: truncate(cleanLine(row.description), MAX_SERVER_TEXT) || title,
      version: serverVersionOf(row.version) ?? UNSTATED_VERSION,
      websiteUrl: `${env().APP_URL}/agents/${row.slug}`,
      remotes: [{ type: 'streamable-http', url: `${env().APP_URL}/agents/${row.slug}/mcp` }],
    },
    _meta: metaOf({ publishedAt: row.createdAt.toISOString(), updatedAt: row.updatedAt.toISOString() }),
  };
}

/** Returns the entry of `/mcp`, which provides access to all agents. */
function ownServerEntry(): McpServerEntry {
  return {
    server: {
      $schema: SERVER_SCHEMA_URL,
      name: nameOf(OWN_NAME),
      title: 'Parley',
      description: 'Find agents on this Parley, send them messages, and follow their tasks.',
      version: UNSTATED_VERSION,
      websiteUrl: env().APP_URL,
      remotes: [{ type: 'streamable-http', url: `${env().APP_URL}/mcp` }],
    },
    _meta: metaOf({}),
  };
}

function nameOf(slug: string): string {
  return `${serverNamespaceOf(env().APP_URL)}/${slug}`;
}

function metaOf(times: { publishedAt?: string; updatedAt?: string }): McpServerEntry['_meta'] {
  return { 'io.modelcontextprotocol.registry/official': { status: 'active', isLatest: true, ...times } };
}
