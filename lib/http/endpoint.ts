import type { EventStream } from './event-stream';

/** What an endpoint knows beside the request: path parameters and the caller's address (behind trusted proxies). */
export interface EndpointContext {
  params: Record<string, string>;
  address: string;
}

/** One endpoint of the data plane, a web-standard function; listed in lib/endpoints/table.ts. */
export type Endpoint = (request: Request, context: EndpointContext) => Promise<Response>;

/** An endpoint whose answer may go on. */
export type StreamEndpoint = (request: Request, context: EndpointContext) => Promise<Response | EventStream>;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
