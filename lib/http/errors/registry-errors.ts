import type { HttpResponse } from '../handler';
import { problemOf } from './render-error';

/** The error response of the MCP registry API v0.1: `error`, and the members of a problem. */
export function registryErrorOf(error: unknown, requestId: string): HttpResponse<string> {
  const { status, headers, body } = problemOf(error, requestId);
  const problem = JSON.parse(body) as { title?: string };
  const text = JSON.stringify({ error: problem.title, ...problem });
  return { status, headers: { ...headers, 'content-type': 'application/json' }, body: text };
}
