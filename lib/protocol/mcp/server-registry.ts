import { z } from 'zod';

/** The revision of `server.json` that entries conform to. */
export const SERVER_SCHEMA_URL = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/** Maximum characters of a title or description in `server.json`. */
export const MAX_SERVER_TEXT = 100;
const MAX_SERVER_VERSION = 255;
const MAX_PAGE_SIZE = 100;
const MAX_SEARCH = 200;
const MAX_CURSOR = 8_000;

/** An MCP server in the format of `server.json`; always a remote server. */
export interface McpServer {
  $schema: string;
  /** A name in reverse-DNS notation: `com.example.parley/analyst`. */
  name: string;
  title: string;
  description: string;
  version: string;
  websiteUrl: string;
  remotes: { type: 'streamable-http'; url: string }[];
}

/** A server with the registry's data about it. */
export interface McpServerEntry {
  server: McpServer;
  _meta: {
    'io.modelcontextprotocol.registry/official': {
      status: 'active';
      isLatest: true;
      publishedAt?: string;
      updatedAt?: string;
    };
  };
}

/** A page of servers. */
export interface McpServerList {
  servers: McpServerEntry[];
  metadata: { count: number; nextCursor?: string };
}

/** Query of `GET /v0.1/servers`. */
export const mcpServerQuerySchema = z.object({
  cursor: z.string().max(MAX_CURSOR).optional(),
  limit: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(30),
  search: z.string().trim().max(MAX_SEARCH).optional(),
  updated_since: z.iso
    .datetime({ offset: true })
    .transform((text) => new Date(text))
    .optional(),
  version: z.string().max(MAX_SERVER_VERSION).optional(),
});
export type McpServerQuery = z.infer<typeof mcpServerQuerySchema>;

/** Returns a version number that `server.json` accepts, which is neither a range nor `latest`; null for other texts. */
export function serverVersionOf(text: string): string | null {
  const isVersion = /^\d+(?:\.\d+){0,3}(?:[-+][0-9A-Za-z.+-]+)?$/.test(text);
  return isVersion && text.length <= MAX_SERVER_VERSION ? text : null;
}

/**
 * Returns the namespace of a server's host in names of MCP servers: its labels in reverse order; an IP address is
 * unchanged.
 */
export function serverNamespaceOf(origin: string): string {
  const host = new URL(origin).hostname.replace(/\.$/, '');
  if (/^[\d.]+$/.test(host) || host.startsWith('[')) return host.replace(/[[\]]/g, '').replaceAll(':', '-');
  return host.split('.').reverse().join('.');
}
