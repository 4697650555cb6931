import { cardOfTools, initialize, isMcpError, listTools } from '@parley/agent/mcp';
import { ParleyError } from '../../platform/errors';
import { McpHttpError, McpHttpTransport } from '../../platform/http-client/mcp-transport';
import { MCP_LIST_TIMEOUT_MS } from '../../platform/limits';
import { cardUnreachable } from '../errors';
import type { FetchedCard } from './fetch-card';
import { findTokenUrl } from './mcp-authorization';

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
    if (isRejection(error)) return explainRejection(url, error, { hasAnswered, signal });
    return explainFailure(url, error, hasAnswered);
  }
}

function isRejection(error: unknown): error is McpHttpError {
  return error instanceof McpHttpError && (error.status === 401 || error.status === 403);
}

/** Says which credential the server requires. Null for a server that may be no MCP server. */
async function explainRejection(
  url: string,
  { status, headers }: McpHttpError,
  { hasAnswered, signal }: { hasAnswered: boolean; signal: AbortSignal },
): Promise<null> {
  const challenge = headers['www-authenticate'] ?? '';
  if (!hasAnswered && !/resource_metadata/i.test(challenge)) return null;
  const tokenUrl = await findTokenUrl(url, { challenge, signal });
  const issued = tokenUrl === null ? '' : ` Its tokens are issued at ${tokenUrl}.`;
  throw cardUnreachable(
    `The MCP server at ${url} requires a credential (HTTP ${status}). Send it as "credential" when you list the server.${issued}`,
  );
}

function explainFailure(url: string, error: unknown, hasAnswered: boolean): null {
  if (isMcpError(error) && (hasAnswered || error.code !== null))
    throw cardUnreachable(`${url}: ${error.message}`, error);
  if (error instanceof ParleyError && error.code === 'url_refused') throw error;
  if (!hasAnswered) return null;
  throw cardUnreachable(`The tools of the MCP server at ${url} could not be read.`, error);
}
