import { problemOf } from './render-error';
import { respond } from './respond';

/** Renders the error of the MCP registry API v0.1: `error`, and the members of a problem. */
export function renderRegistryError(error: unknown, requestId: string): Response {
  const { status, headers, body } = problemOf(error, requestId);
  const problem = JSON.parse(body ?? '{}') as { title?: string };
  const text = JSON.stringify({ error: problem.title, ...problem });
  return respond(status, text, { ...headers, 'content-type': 'application/json' });
}
