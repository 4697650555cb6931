import { isOpenToOrigins } from '../http/cors';
import { isAgentPage } from '../http/page-path';
import type { PlainAnswer } from '../http/plain';
import { problemOf } from '../http/render-error';
import { ParleyError } from '../platform/errors';
import { newId } from '../platform/ids';
import { nothingButAgent } from './agent-address';
import { matchEndpoint } from './router';

interface Asked {
  method: string;
  path: string;
  requestId?: string;
}

/** Where only programs go: nobody there reads a page that says that nothing was found. */
const programPaths = [
  /^\/(?:api|v1|a2a|tasks|\.well-known)(?:\/|$)/,
  /^\/agents(?:\/[^/]+)*\/\.well-known(?:\/|$)/,
  /^\/agents\/[^/]+\/(?:a2a|society|tasks)(?:\/|$)/,
];

/**
 * The answer to a request that no endpoint takes: 405 with the methods that its path has, or 404, as problem JSON. Null where a
 * page may be.
 */
export function refuseUnmatched({ method, path, requestId = newId('req') }: Asked): PlainAnswer | null {
  const match = matchEndpoint(method, path);
  if (match.kind === 'wrong-method') return refuseMethod({ method, path, requestId }, match.allow);
  if (programPaths.some((pattern) => pattern.test(path))) return problemOf(nothingAt(path), requestId);
  return method === 'TRACE' ? refuseMethod({ method, path, requestId }, ['GET']) : null;
}

function refuseMethod({ method, path, requestId }: Required<Asked>, methods: string[]): PlainAnswer {
  const allow = [...methods];
  if (!allow.includes('GET') && (path === '/' || isAgentPage(path))) allow.push('GET');
  if (allow.includes('GET')) allow.push('HEAD');
  if (isOpenToOrigins(path)) allow.push('OPTIONS');
  const error = new ParleyError(
    'method_not_allowed',
    `Found ${method.slice(0, 20)}, expected ${methods.join(' or ')} at this address.`,
  );
  const { status, headers, body } = problemOf(error, requestId);
  return { status, headers: { ...headers, allow: allow.join(', ') }, body };
}

function nothingAt(path: string): ParleyError {
  const agent = /^\/agents\/(?:([^/]+)\/)?(?:.*\/)?(?:\.well-known|a2a)(?:\/|$)/.exec(path);
  if (agent) return nothingButAgent(agent[1] ?? '{slug}');
  return new ParleyError('not_found', 'There is nothing at this address.');
}
