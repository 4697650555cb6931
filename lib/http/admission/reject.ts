import type { IncomingMessage, ServerResponse } from 'node:http';
import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { errorAt } from '../errors/error-formats';
import { retryHeaders } from '../errors/error-headers';
import type { ErrorResponse, Handler, HttpResponse } from '../handler';
import { MAX_DRAIN_BYTES, OVERLOAD_RETRY_SECONDS } from '../limits';
import { nodeRequest } from '../node-adapter';

/** A request to reject: its path and, if it is for an endpoint, its handler. */
interface Rejected {
  path: string;
  serve?: Handler;
}

/**
 * Errors by their `Retry-After`. Cached, because an error object with its stack is as expensive as the rest of a
 * rejection.
 */
const overloadErrors = new Map<number, ParleyError>();

/**
 * Returns the error of a rejected request. Clients wait for different times, so that they do not all retry at the same
 * time.
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
 * Responds with 503 and `Retry-After` in the format of the endpoint or of a page. Does not read the body of the
 * request.
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

/**
 * Returns true for a request without a body, or with one so small that draining it is cheaper than opening another
 * connection.
 */
function isSmall({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return false;
  return Number(headers['content-length'] ?? 0) <= MAX_DRAIN_BYTES;
}

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Too many requests at the moment</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 36rem; margin: 20vh auto; padding: 0 1rem; color-scheme: light dark }
</style>
</head>
<body>
<h1>Too many requests at the moment</h1>
<p>Calls to agents have priority, so this page is not available. Reload it in a few seconds.</p>
</body>
</html>
`;

/** Returns the page for browsers while the node is overloaded. */
function overloadPage(error: ParleyError): HttpResponse<string> {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    ...retryHeaders(error),
  };
  return { status: 503, headers, body: html };
}
