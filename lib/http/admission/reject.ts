import type { IncomingMessage, ServerResponse } from 'node:http';
import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { errorAt } from '../errors/path-errors';
import type { ErrorResponse, Handler } from '../handler';
import { MAX_DRAIN_BYTES, OVERLOAD_RETRY_SECONDS } from '../limits';
import { nodeRequest } from '../node-adapter';
import { overloadPage } from './overload-page';

/** A request to reject: its path, and the handler it is for, if it is for an endpoint. */
interface Rejected {
  path: string;
  serve?: Handler;
}

/**
 * Errors by their `Retry-After`. They are cached, because an error object with its stack is as expensive as the rest of
 * a rejection.
 */
const overloadErrors = new Map<number, ParleyError>();

/**
 * The error of a rejected request. Clients wait for different times, so that they do not all retry at the same time.
 */
export function overloadError(): ParleyError {
  const seconds = 1 + Math.floor(Math.random() * OVERLOAD_RETRY_SECONDS);
  const made = overloadErrors.get(seconds) ?? makeOverloadError(seconds);
  overloadErrors.set(seconds, made);
  return made;
}

function makeOverloadError(seconds: number): ParleyError {
  const text = 'This server has too many requests at the moment. Send the request again after Retry-After.';
  return new ParleyError('unavailable', text, { retryAfter: seconds });
}

/**
 * Responds with 503 and `Retry-After` in the format of the endpoint, or of a page. The body of the request is not read.
 */
export function rejectOverloaded(request: IncomingMessage, response: ServerResponse, rejected: Rejected): void {
  const { status, headers, body } = render(request, response, rejected);
  const length = body === null ? 0 : Buffer.byteLength(body);
  response.writeHead(status, {
    ...headers,
    'content-length': length,
    ...(!isSmall(request) && { connection: 'close' }),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

function render(request: IncomingMessage, response: ServerResponse, { path, serve }: Rejected): ErrorResponse {
  const error = overloadError();
  if (serve?.renderRejection) return serve.renderRejection(nodeRequest(request, response), error);
  if (!serve && request.headers.accept?.includes('text/html')) return overloadPage(error);
  return errorAt(path, error, newId('req'));
}

/** True without a body, or with one so small that it is cheaper to drain it than to open another connection. */
function isSmall({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return false;
  return Number(headers['content-length'] ?? 0) <= MAX_DRAIN_BYTES;
}
