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

/** As much of a `Request` as endpoints read that are answered without one. */
export interface PlainRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  readonly signal: AbortSignal;
  /** The body piece by piece, or null when there is none. */
  readonly body: AsyncIterable<Uint8Array> | null;
  /** The body as a whole. */
  arrayBuffer(): Promise<ArrayBuffer | Uint8Array>;
}

/** A whole answer, not yet in a `Response` or on a connection. */
export interface PlainAnswer {
  status: number;
  headers: Record<string, string>;
  body: string | null;
}

export type DirectEndpoint = (request: PlainRequest, context: EndpointContext) => Promise<PlainAnswer>;

/** One endpoint of the data plane, a web-standard function; listed in lib/endpoints/table.ts. */
export interface Endpoint {
  (request: Request, context: EndpointContext): Promise<Response>;
  facts?: RouteFacts;
  /** The same for a server that writes the answer onto the connection itself (docs/decisions/0013). */
  direct?: DirectEndpoint;
}

/** An endpoint whose answer may go on. */
export interface StreamEndpoint {
  (request: Request, context: EndpointContext): Promise<Response | EventStream>;
  facts?: RouteFacts;
  direct?: DirectEndpoint;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
