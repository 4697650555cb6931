import { env } from '../../platform/runtime/env';
import { cleanLine, truncate } from '../../protocol/a2a/cards/clean-text';
import {
  MAX_SERVER_TEXT,
  type McpServerEntry,
  SERVER_SCHEMA_URL,
  serverNamespaceOf,
  serverVersionOf,
} from '../../protocol/mcp/server-registry';
import type { McpServerRow } from '../store/mcp-servers';

/** The name of Parley's own server. No agent can have this slug. */
const OWN_NAME = 'parley';
/** The version of a server whose card has none that `server.json` accepts. */
const UNSTATED_VERSION = '1.0.0';

/** The resource that the name of a server denotes; null for names of other hosts. */
export function serverNamed(name: string): { kind: 'parley' } | { kind: 'agent'; slug: string } | null {
  const prefix = nameOf('');
  if (!name.startsWith(prefix)) return null;
  const slug = name.slice(prefix.length);
  return slug === OWN_NAME ? { kind: 'parley' } : { kind: 'agent', slug };
}

/** The entry of an agent's own MCP endpoint. */
export function toServerEntry(row: McpServerRow): McpServerEntry {
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

/** The entry of `/mcp`, which reaches all agents. */
export function ownServerEntry(): McpServerEntry {
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
