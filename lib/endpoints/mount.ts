import { isStorableUrl, UNSTORABLE_URL } from '../http/guard/storable';
import type { Handler, HttpResponse } from '../http/handler';
import { ENDPOINT_MOUNT } from '../http/pages/page-requests';
import { errorAt } from '../http/path-errors';
import { renderProblem } from '../http/render-error';
import { requestIdOf } from '../http/request';
import { EventStream, streamResponse } from '../http/sse/event-stream';
import { clientAddress } from '../platform/address';
import { ParleyError } from '../platform/errors';
import { matchEndpoint, rejectUnmatched } from './router';

/**
 * Serves the endpoint that matches a request, as `server.ts` does. Route files under `app/` export it for every method:
 * `export { DELETE, GET, PATCH, POST, PUT } from '@/lib/endpoints/mount'`.
 */
function serve(request: Request): Promise<Response> {
  const called = withCalledUrl(request);
  return serveMatch(called, () => Promise.resolve(unmatchedRoute(called)));
}

export { serve as DELETE, serve as GET, serve as PATCH, serve as POST, serve as PUT };

/** As the exported methods, with a fallback for requests that match no endpoint. */
export function serveOr(fallback: Handler): (request: Request) => Promise<Response> {
  return (request) => serveMatch(request, () => fallback(request, { params: {}, address: addressOf(request) }));
}

async function serveMatch(request: Request, onUnmatched: () => Promise<Response>): Promise<Response> {
  if (!isStorableUrl(request.url)) return rejectUrl(request);
  const match = matchEndpoint(request.method, new URL(request.url).pathname);
  if (match.kind === 'wrong-method') return unmatchedRoute(request);
  if (match.kind === 'none') return onUnmatched();
  const result = await match.serve(request, { params: match.params, address: addressOf(request) });
  const response = result instanceof EventStream ? streamResponse(result) : result;
  // Next drops the Vary header of a middleware rewrite.
  if (request.headers.has('origin')) response.headers.append('vary', 'Origin');
  return response;
}

/** The request with its URL from before the rewrite in middleware.ts. */
function withCalledUrl(request: Request): Request {
  const url = new URL(request.url);
  if (url.pathname !== ENDPOINT_MOUNT && !url.pathname.startsWith(`${ENDPOINT_MOUNT}/`)) return request;
  url.pathname = url.pathname.slice(ENDPOINT_MOUNT.length);
  return new Request(url, request);
}

function rejectUrl(request: Request): Response {
  const error = new ParleyError('invalid_request', UNSTORABLE_URL);
  return toResponse(errorAt(new URL(request.url).pathname, error, requestIdOf(request)));
}

function unmatchedRoute(request: Request): Response {
  const unmatched = { method: request.method, path: new URL(request.url).pathname, requestId: requestIdOf(request) };
  const rejection = rejectUnmatched(unmatched);
  if (!rejection)
    return renderProblem(
      new ParleyError('not_found', 'Nothing found at this URL. Check the path.'),
      unmatched.requestId,
    );
  return toResponse(rejection);
}

function toResponse({ status, headers, body }: HttpResponse): Response {
  return new Response(body, { status, headers });
}

/** The client's address. server.ts, or Next without it, appends the socket's address to `X-Forwarded-For`. */
function addressOf(request: Request): string {
  const hops = (request.headers.get('x-forwarded-for') ?? '127.0.0.1').split(',').map((hop) => hop.trim());
  const socket = hops.pop() ?? '127.0.0.1';
  return clientAddress(socket, hops.join(',') || null);
}
