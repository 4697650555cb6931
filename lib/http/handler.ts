import type { z } from 'zod';
import type { AuthRule } from './actor';
import type { HttpRequest, HttpResponse } from './http-message';
import type { EventStream } from './sse/event-stream';

/** What an endpoint knows beside the request: path parameters and the caller's address (behind trusted proxies). */
export interface EndpointContext {
  params: Record<string, string>;
  address: string;
}

/** What a route knows of itself, for the description of the API. */
export interface RouteFacts {
  /** Who may call it; `app` authenticates by client id and secret, `client` may also name itself alone. */
  auth: AuthRule | 'app' | 'client';
  /** The JSON body. */
  body?: z.ZodType;
  /** Names of the parameters of a form body, in place of JSON. */
  form?: readonly string[];
}

/** An endpoint that needs no `Request` (docs/decisions/0013). */
export type NodeEndpoint = (request: HttpRequest, context: EndpointContext) => Promise<HttpResponse | EventStream>;

/** One endpoint of the data plane, a web-standard function; listed in lib/endpoints/routes.ts. */
export interface Endpoint {
  (request: Request, context: EndpointContext): Promise<Response>;
  facts?: RouteFacts;
  /** The same for a server that writes the answer onto the connection itself. */
  direct?: NodeEndpoint;
}

/** An endpoint whose answer may go on. */
export interface StreamEndpoint {
  (request: Request, context: EndpointContext): Promise<Response | EventStream>;
  facts?: RouteFacts;
  direct?: NodeEndpoint;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
