import type { IncomingMessage, ServerResponse } from 'node:http';
import { compatEndpoints } from '../compat/endpoints';
import { mcpEndpoints } from '../hosts/mcp/endpoints';
import { openAiEndpoints } from '../hosts/openai/endpoints';
import { admit, type Priority } from '../http/admission/admission';
import { rejectOverloaded } from '../http/admission/reject';
import type { Endpoint, Match } from '../http/endpoint';
import { a2aEndpoints } from '../tasks/endpoints';

/** Accepts a request until its response ends, or rejects it because of overload. */
export function admitRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { path, match }: { path: string; match: Match },
): boolean {
  const isEndpoint = match.kind === 'endpoint';
  const finish = admit(priorityOf(isEndpoint ? match.path : undefined));
  if (finish) response.once('close', finish);
  else rejectOverloaded(request, response, isEndpoint ? { path, serve: match.serve } : { path });
  return finish !== null;
}

/**
 * Endpoints that are never rejected, because load balancers, agents that verify their callers, and senders of events
 * depend on them, and their cost is low.
 */
const critical: ReadonlySet<string> = new Set([
  '/healthz',
  '/readyz',
  '/api/auth/introspect',
  '/api/auth/revoke',
  '/.well-known/jwks.json',
  '/api/webhooks/stripe',
  '/api/push/:task',
]);

/**
 * Endpoints that have the priority of calls in addition to those of A2A, older systems, MCP and OpenAI: tokens, and the
 * chat's own calls and streams.
 */
const calls: ReadonlySet<string> = new Set([
  '/agents/:slug',
  '/api/auth/handshake',
  '/api/auth/token',
  '/auth/agent-token',
  '/api/chat/messages',
  '/api/chat/tasks/:id/cancel',
  '/api/chat/conversations/:id/events',
  '/api/orders/:id/approve',
]);

const callAreas: Endpoint[] = [...a2aEndpoints, ...compatEndpoints, ...mcpEndpoints, ...openAiEndpoints];
const callPaths: ReadonlySet<string> = new Set([...calls, ...callAreas.map(({ path }) => path)]);

/**
 * Returns the priority of an endpoint by its declared path. All other requests, such as those for pages, are
 * `background`.
 */
export function priorityOf(path: string | undefined): Priority {
  if (path === undefined) return 'background';
  if (critical.has(path)) return 'critical';
  return callPaths.has(path) ? 'calls' : 'background';
}
