import { mcpEndpoints } from '../hosts/mcp/endpoints';
import { openAiEndpoints } from '../hosts/openai/endpoints';
import type { Priority } from '../http/admission/admission';
import type { Endpoint } from '../http/endpoint';
import { a2aEndpoints } from '../tasks/endpoints';

/**
 * Endpoints that are never rejected: load balancers, agents that verify their callers, and senders of events depend on
 * them, and their cost is low.
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
 * Endpoints with the priority of calls besides those of A2A, MCP and OpenAI: tokens, and the chat's own calls and
 * streams.
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

const callAreas: Endpoint[] = [...a2aEndpoints, ...mcpEndpoints, ...openAiEndpoints];
const callPaths: ReadonlySet<string> = new Set([...calls, ...callAreas.map(({ path }) => path)]);

/** The priority of an endpoint by its declared path; every other request, such as for a page, is `background`. */
export function priorityOf(path: string | undefined): Priority {
  if (path === undefined) return 'background';
  if (critical.has(path)) return 'critical';
  return callPaths.has(path) ? 'calls' : 'background';
}
