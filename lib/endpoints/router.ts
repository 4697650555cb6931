import { openAiEndpoints } from '../hosts/openai/endpoints';
import { compileEndpoints, type Match } from '../http/endpoint';
import { errorAt } from '../http/errors/error-formats';
import { allowsAnyOrigin } from '../http/guard/cors';
import type { HttpResponse } from '../http/handler';
import { isAgentPage, isAuthorizationPage } from '../http/pages/page-requests';
import { ParleyError } from '../platform/errors';
import { newId } from '../platform/ids';
import { agentAddressNotFound } from '../tasks/endpoints/agent-address';
import { endpoints } from './table';

const matcher = compileEndpoints(endpoints);

const openAiPaths = openAiEndpoints.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);

/** Finds the endpoint of a path, ignoring a trailing slash. HEAD matches the GET endpoint. */
export function matchEndpoint(method: string, pathname: string): Match {
  return matcher.match(method, pathname);
}

interface UnmatchedRequest {
  method: string;
  path: string;
  requestId?: string;
}

/** Paths that only programs use. Their 404 response is JSON, not a page. */
const apiPaths = [
  /^\/(?:api|v1|v0\.1|a2a|tasks|packages|\.well-known)(?:\/|$)/,
  /^\/agents(?:\/[^/]+)*\/\.well-known(?:\/|$)/,
  /^\/agents\/[^/]+\/(?:a2a|society|tasks)(?:\/|$)/,
];

/**
 * Returns the response to a request that matches no endpoint: 405 with the path's methods, or 404, as JSON. Returns
 * null if a page may exist.
 */
export function rejectUnmatched({
  method,
  path,
  requestId = newId('req'),
}: UnmatchedRequest): HttpResponse<string> | null {
  const match = matchEndpoint(method, path);
  if (match.kind === 'wrong-method') return methodNotAllowed({ method, path, requestId }, match.allow);
  if (apiPaths.some((pattern) => pattern.test(path))) return errorAt(path, notFoundAt(method, path), requestId);
  return method === 'TRACE' ? methodNotAllowed({ method, path, requestId }, ['GET']) : null;
}

function methodNotAllowed(
  { method, path, requestId }: Required<UnmatchedRequest>,
  methods: string[],
): HttpResponse<string> {
  const allow = [...methods];
  if (!allow.includes('GET') && (path === '/' || isAgentPage(path) || isAuthorizationPage(path))) allow.push('GET');
  if (allow.includes('GET')) allow.push('HEAD');
  if (allowsAnyOrigin(path)) allow.push('OPTIONS');
  const error = new ParleyError(
    'method_not_allowed',
    `Found ${method.slice(0, 20)}; this URL expects ${methods.join(' or ')}.`,
  );
  const { status, headers, body } = errorAt(path, error, requestId);
  return { status, headers: { ...headers, allow: allow.join(', ') }, body };
}

function notFoundAt(method: string, path: string): ParleyError {
  const agent = /^\/agents\/(?:([^/]+)\/)?(?:.*\/)?(?:\.well-known|a2a)(?:\/|$)/.exec(path);
  if (agent) return agentAddressNotFound(agent[1] ?? '{slug}');
  if (/^\/v1(?:\/|$)/.test(path)) {
    const text = `Found ${method.slice(0, 20)} ${path.slice(0, 100)}; expected one of ${openAiPaths.join(', ')}.`;
    return new ParleyError('not_found', text);
  }
  return new ParleyError('not_found', 'Nothing found at this URL. Check the path.');
}
