import { cardOfTools, initialize, isMcpError, listTools } from '@parley/agent/mcp';
import { ParleyError } from '../../platform/errors';
import { McpHttpError, McpHttpTransport } from '../../platform/http-client/mcp-transport';
import { MCP_LIST_TIMEOUT_MS } from '../../platform/limits';
import { cardUnreachable } from '../errors';
import type { FetchedCard } from './fetch-card';

/** How a credential is presented to a server. */
export interface McpAuthorization {
  headers: Record<string, string>;
  /** The name and value of a parameter of the query; null if there is none. */
  query: [string, string] | null;
}

interface McpSearch {
  signal: AbortSignal;
  authorization: McpAuthorization;
}

/** The version that Parley announces to MCP servers as that of its client. */
const CLIENT = { name: 'parley', title: 'Parley', version: '1.0.0' };

/**
 * Reads the tools of the MCP server at a URL, and returns them as a card. Null if the server does not speak MCP there.
 * @throws {ParleyError} `card_unreachable` if it requires a credential, or fails after it has answered; `url_refused`
 */
export async function readMcpCard(url: string, search: McpSearch): Promise<FetchedCard | null> {
  const signal = AbortSignal.any([search.signal, AbortSignal.timeout(MCP_LIST_TIMEOUT_MS)]);
  const { headers, query } = search.authorization;
  const called = new URL(url);
  if (query) called.searchParams.set(...query);
  const limits = { waitMs: MCP_LIST_TIMEOUT_MS, idleMs: MCP_LIST_TIMEOUT_MS };
  const transport = new McpHttpTransport({ url: called.href, headers, ...limits });
  let hasAnswered = false;
  try {
    const server = await initialize(transport, { signal, client: CLIENT });
    hasAnswered = true;
    const tools = await listTools(transport, { signal });
    const supportedInterfaces = [{ url, protocolBinding: 'MCP', protocolVersion: '1.0' }];
    const bytes = Buffer.from(JSON.stringify({ ...cardOfTools(server, tools), supportedInterfaces }));
    const validators = { etag: null, lastModified: null };
    return { cardUrl: url, listedUrl: url, assumedEndpoint: null, bytes, validators };
  } catch (error) {
    search.signal.throwIfAborted();
    return explainFailure(url, error, hasAnswered);
  }
}

function explainFailure(url: string, error: unknown, hasAnswered: boolean): null {
  if (error instanceof McpHttpError && (error.status === 401 || error.status === 403)) {
    // Servers that are no MCP servers also require credentials.
    if (!hasAnswered && !/resource_metadata/i.test(error.headers['www-authenticate'] ?? '')) return null;
    throw credentialRequired(url, error.status);
  }
  if (isMcpError(error) && (hasAnswered || error.code !== null))
    throw cardUnreachable(`${url}: ${error.message}`, error);
  if (error instanceof ParleyError && error.code === 'url_refused') throw error;
  if (!hasAnswered) return null;
  throw cardUnreachable(`The tools of the MCP server at ${url} could not be read.`, error);
}

function credentialRequired(url: string, status: number): ParleyError {
  return cardUnreachable(
    `The MCP server at ${url} requires a credential (HTTP ${status}). Send it as "credential" when you list the server.`,
  );
}
