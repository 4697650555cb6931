import type { HttpResponse } from '../handler';
import { ardErrorOf } from './ard-errors';
import { openAiErrorResponse } from './openai-errors';
import { problemOf } from './render-error';

const ardPaths = /^\/api\/ard(?:\/|$)/;

/** All of OpenAI's API; the A2A endpoints that share its prefix have their own errors. */
const openAiPaths = /^\/v1(?:\/|$)(?!(?:agents|agent-systems)\/[^/])/;

/**
 * The error of a request that reaches no endpoint, in the format of the endpoints at similar paths: ARD's, OpenAI's, or
 * problem JSON.
 */
export function errorAt(path: string, error: unknown, requestId: string): HttpResponse<string> {
  if (ardPaths.test(path)) return ardErrorOf(error, requestId);
  return openAiPaths.test(path) ? openAiErrorResponse(error, requestId) : problemOf(error, requestId);
}
