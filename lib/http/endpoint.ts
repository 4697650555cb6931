import type { z } from 'zod';
import type { AuthRule } from './actor';
import type { EventStream } from './event-stream';

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

/** One endpoint of the data plane, a web-standard function; listed in lib/endpoints/table.ts. */
export interface Endpoint {
  (request: Request, context: EndpointContext): Promise<Response>;
  facts?: RouteFacts;
}

/** An endpoint whose answer may go on. */
export interface StreamEndpoint {
  (request: Request, context: EndpointContext): Promise<Response | EventStream>;
  facts?: RouteFacts;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
