import type { Endpoint } from '../http/endpoint';
import { isStorableUrl, UNSTORABLE_URL } from '../http/guard/storable';
import { ROWS_MOUNT } from '../http/pages/page-path';
import { renderProblem } from '../http/render-error';
import { requestIdOf } from '../http/request';
import { EventStream } from '../http/sse/event-stream';
import { streamResponse } from '../http/sse/stream-response';
import { clientAddress } from '../platform/address';
import { ParleyError } from '../platform/errors';
import { rejectUnmatched } from './reject-unmatched';
import { matchEndpoint } from './router';

/**
 * Answers with the row that a request's method and path match, as `server.ts` does. Route files under `app/` export it as
 * every method: `export { DELETE, GET, PATCH, POST, PUT } from '@/lib/endpoints/mount'`.
 */
function serve(request: Request): Promise<Response> {
  const called = atCalledAddress(request);
  return serveMatch(called, () => Promise.resolve(unmatchedRoute(called)));
}

export { serve as DELETE, serve as GET, serve as PATCH, serve as POST, serve as PUT };

/** As the exported methods, but what no row matches is answered by `endpoint`. */
export function serveOr(endpoint: Endpoint): (request: Request) => Promise<Response> {
  return (request) => serveMatch(request, () => endpoint(request, { params: {}, address: addressOf(request) }));
}

async function serveMatch(request: Request, otherwise: () => Promise<Response>): Promise<Response> {
  if (!isStorableUrl(request.url)) return rejectUrl(request);
  const match = matchEndpoint(request.method, new URL(request.url).pathname);
  if (match.kind === 'wrong-method') return unmatchedRoute(request);
  if (match.kind === 'none') return otherwise();
  const answer = await match.endpoint(request, { params: match.params, address: addressOf(request) });
  const response = answer instanceof EventStream ? streamResponse(answer) : answer;
  // Next drops the Vary of a rewrite in middleware.
  if (request.headers.has('origin')) response.headers.append('vary', 'Origin');
  return response;
}

/** The request at the address that was called, before middleware.ts rewrote it. */
function atCalledAddress(request: Request): Request {
  const url = new URL(request.url);
  if (url.pathname !== ROWS_MOUNT && !url.pathname.startsWith(`${ROWS_MOUNT}/`)) return request;
  url.pathname = url.pathname.slice(ROWS_MOUNT.length);
  return new Request(url, request);
}

function rejectUrl(request: Request): Response {
  return renderProblem(new ParleyError('invalid_request', UNSTORABLE_URL), requestIdOf(request));
}

function unmatchedRoute(request: Request): Response {
  const asked = { method: request.method, path: new URL(request.url).pathname, requestId: requestIdOf(request) };
  const rejection = rejectUnmatched(asked);
  if (!rejection)
    return renderProblem(new ParleyError('not_found', 'There is nothing at this address.'), asked.requestId);
  return new Response(rejection.body, { status: rejection.status, headers: rejection.headers });
}

/** The last address in `X-Forwarded-For`: what server.ts puts there, or Next where it runs alone behind a proxy. */
function addressOf(request: Request): string {
  const hops = (request.headers.get('x-forwarded-for') ?? '127.0.0.1').split(',').map((hop) => hop.trim());
  const socket = hops.pop() ?? '127.0.0.1';
  return clientAddress(socket, hops.join(',') || null);
}
