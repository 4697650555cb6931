import type { Endpoint, Method } from '../http/endpoint';
import { clientAddress } from '../platform/address';
import { endpointOf } from './router';

type RouteHandler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>;

/** A row of the table as a Next route handler: `export const POST = mount('POST', '/api/auth/handshake')`. */
export function mount(method: Method, path: string): RouteHandler {
  const endpoint = endpointOf(method, path);
  return async (request, context) => endpoint(request, { params: await context.params, address: addressOf(request) });
}

/** An endpoint that only Next serves, as a route handler; it reads its path itself. */
export function mountAlone(endpoint: Endpoint): (request: Request) => Promise<Response> {
  return (request) => endpoint(request, { params: {}, address: addressOf(request) });
}

/** The last address in `X-Forwarded-For`: what server.ts puts there, or Next where it runs alone behind a proxy. */
function addressOf(request: Request): string {
  const hops = (request.headers.get('x-forwarded-for') ?? '127.0.0.1').split(',').map((hop) => hop.trim());
  const socket = hops.pop() ?? '127.0.0.1';
  return clientAddress(socket, hops.join(',') || null);
}
