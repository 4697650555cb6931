import type { Endpoint, Method } from '../http/endpoint';
import { EventStream } from '../http/event-stream';
import { renderProblem } from '../http/render-error';
import { requestIdOf } from '../http/request';
import { isStorableUrl, UNSTORABLE_URL } from '../http/storable';
import { streamResponse } from '../http/stream-response';
import { clientAddress } from '../platform/address';
import { ParleyError } from '../platform/errors';
import { refuseUnmatched } from './refuse-unmatched';
import { endpointOf, matchUnder } from './router';

/** Next gives no parameters to a route whose path has none. */
type Params = Promise<Record<string, string | string[]> | undefined>;
type RouteHandler = (request: Request, context: { params: Params }) => Promise<Response>;

/** A row of the table as a Next route handler: `export const POST = mount('POST', '/api/auth/handshake')`. */
export function mount(method: Method, path: string): RouteHandler {
  const endpoint = endpointOf(method, path);
  return async (request, context) => {
    if (!isStorableUrl(request.url)) return refuseUrl(request);
    const params = flatten((await context.params) ?? {});
    const answer = await endpoint(request, { params, address: addressOf(request) });
    const response = answer instanceof EventStream ? streamResponse(answer) : answer;
    // Next drops the Vary of a rewrite in middleware.
    if (request.headers.has('origin')) response.headers.append('vary', 'Origin');
    return response;
  };
}

/**
 * All rows of a method below a path, for rows whose segments Next cannot spell:
 * `export const GET = mountUnder('GET', '/agents/:slug/a2a/rest')` in that path's `[...path]`.
 */
export function mountUnder(method: Method, path: string): (request: Request) => Promise<Response> {
  return async (request) => {
    if (!isStorableUrl(request.url)) return refuseUrl(request);
    const match = matchUnder(path, method, new URL(request.url).pathname);
    if (match.kind !== 'endpoint') return refuse(request);
    const answer = await match.endpoint(request, { params: match.params, address: addressOf(request) });
    return answer instanceof EventStream ? streamResponse(answer) : answer;
  };
}

function refuseUrl(request: Request): Response {
  return renderProblem(new ParleyError('invalid_request', UNSTORABLE_URL), requestIdOf(request));
}

/** What no row takes, for methods and paths that Next would answer with a page or without saying what is allowed. */
export function refuse(request: Request): Response {
  const { pathname } = new URL(request.url);
  const asked = { method: request.method, path: pathname, requestId: requestIdOf(request) };
  const refusal = refuseUnmatched(asked);
  if (!refusal)
    return renderProblem(new ParleyError('not_found', 'There is nothing at this address.'), asked.requestId);
  return new Response(refusal.body, { status: refusal.status, headers: refusal.headers });
}

/** An endpoint that only Next serves, as a route handler; it reads its path itself. */
export function mountAlone(endpoint: Endpoint): (request: Request) => Promise<Response> {
  return (request) => endpoint(request, { params: {}, address: addressOf(request) });
}

/** Next gives the segments of a catch-all as a list. */
function flatten(params: Record<string, string | string[]>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, [value].flat().join('/')]));
}

/** The last address in `X-Forwarded-For`: what server.ts puts there, or Next where it runs alone behind a proxy. */
function addressOf(request: Request): string {
  const hops = (request.headers.get('x-forwarded-for') ?? '127.0.0.1').split(',').map((hop) => hop.trim());
  const socket = hops.pop() ?? '127.0.0.1';
  return clientAddress(socket, hops.join(',') || null);
}
