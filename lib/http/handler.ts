import type { z } from 'zod';
import type { UserRule } from '../identity';
import type { ParleyError } from '../platform/errors';
import type { EventStream } from './sse/event-stream';

/** The part of `Request` that handlers read, so that Node's messages need no `Request` (docs/decisions/0013). */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  readonly signal: AbortSignal;
  /** Aborts the signal; absent where this is not possible. */
  abort?(): void;
  /** The body in chunks; null when there is none. */
  readonly body: AsyncIterable<Uint8Array> | null;
  /** The complete body. */
  arrayBuffer(): Promise<ArrayBuffer | Uint8Array>;
}

/** A complete response, not yet a `Response` or written to a connection. */
export interface HttpResponse {
  status: number;
  headers: Record<string, string>;
  body: string | null;
}

/** What a handler gets with the request: path parameters and the client's address (behind trusted proxies). */
export interface HandlerContext {
  params: Record<string, string>;
  address: string;
}

/** Who may call an endpoint of our JSON API. */
export type AuthRule = 'anyone' | Exclude<UserRule, 'account'>;

/** The authentication and input of an endpoint of our API, for its OpenAPI document and its metadata. */
export interface HandlerSpec {
  /**
   * Who may call it; `app` authenticates by client id and secret, `client` may also send its client id alone. With
   * `none`, credentials are not read.
   */
  auth: AuthRule | 'app' | 'client' | 'none';
  /** The JSON body. */
  body?: z.ZodType;
  /** The query, an object of parameters. */
  query?: z.ZodType;
  /** Parameter names of a form body, instead of JSON. */
  form?: readonly string[];
  /** The format of its errors, when it is not problem JSON. */
  errorFormat?: 'ard' | 'oauth' | 'openai';
}

/** A handler that needs no `Request` (docs/decisions/0013). */
export type NodeHandler = (request: HttpRequest, context: HandlerContext) => Promise<HttpResponse | EventStream>;

/** Renders the error of a request that is rejected before any work, in the format of the endpoint's errors. */
type RenderRejection = (request: HttpRequest, error: ParleyError) => HttpResponse;

/** A web-standard handler of the data plane; lib/endpoints/table.ts lists all of them. */
export interface Handler {
  (request: Request, context: HandlerContext): Promise<Response>;
  /** Absent for A2A endpoints and public documents. */
  spec?: HandlerSpec;
  /** The same handler for a server that writes the response to the connection itself. */
  direct?: NodeHandler;
  /** Absent where errors are problem JSON. */
  renderRejection?: RenderRejection;
}

/** A handler that may respond with an event stream. */
export interface StreamHandler {
  (request: Request, context: HandlerContext): Promise<Response | EventStream>;
  spec?: HandlerSpec;
  direct?: NodeHandler;
  renderRejection?: RenderRejection;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
