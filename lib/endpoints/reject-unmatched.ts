import { allowsAnyOrigin } from '../http/guard/cors';
import type { HttpResponse } from '../http/http-message';
import { isAgentPage } from '../http/pages/page-path';
import { problemOf } from '../http/render-error';
import { ParleyError } from '../platform/errors';
import { newId } from '../platform/ids';
import { agentAddressNotFound } from './agent-address';
import { matchEndpoint } from './router';

interface UnmatchedRequest {
  method: string;
  path: string;
  requestId?: string;
}

/** Where only programs go: nobody there reads a page that says that nothing was found. */
const apiPaths = [
  /^\/(?:api|v1|a2a|tasks|\.well-known)(?:\/|$)/,
  /^\/agents(?:\/[^/]+)*\/\.well-known(?:\/|$)/,
  /^\/agents\/[^/]+\/(?:a2a|society|tasks)(?:\/|$)/,
];

/**
 * The answer to a request that no endpoint takes: 405 with the methods that its path has, or 404, as problem JSON. Null where a
 * page may be.
 */
export function rejectUnmatched({ method, path, requestId = newId('req') }: UnmatchedRequest): HttpResponse | null {
  const match = matchEndpoint(method, path);
  if (match.kind === 'wrong-method') return methodNotAllowed({ method, path, requestId }, match.allow);
  if (apiPaths.some((pattern) => pattern.test(path))) return problemOf(notFoundAt(path), requestId);
  return method === 'TRACE' ? methodNotAllowed({ method, path, requestId }, ['GET']) : null;
}

function methodNotAllowed({ method, path, requestId }: Required<UnmatchedRequest>, methods: string[]): HttpResponse {
  const allow = [...methods];
  if (!allow.includes('GET') && (path === '/' || isAgentPage(path))) allow.push('GET');
  if (allow.includes('GET')) allow.push('HEAD');
  if (allowsAnyOrigin(path)) allow.push('OPTIONS');
  const error = new ParleyError(
    'method_not_allowed',
    `Found ${method.slice(0, 20)}, expected ${methods.join(' or ')} at this address.`,
  );
  const { status, headers, body } = problemOf(error, requestId);
  return { status, headers: { ...headers, allow: allow.join(', ') }, body };
}

function notFoundAt(path: string): ParleyError {
  const agent = /^\/agents\/(?:([^/]+)\/)?(?:.*\/)?(?:\.well-known|a2a)(?:\/|$)/.exec(path);
  if (agent) return agentAddressNotFound(agent[1] ?? '{slug}');
  return new ParleyError('not_found', 'There is nothing at this address.');
}
