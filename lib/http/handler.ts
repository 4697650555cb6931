import type { z } from 'zod';
import type { UserRule } from '../identity';
import type { ParleyError } from '../platform/errors';
import type { EventStream } from './sse';

/** The request that handlers read (docs/decisions/0013). A web `Request` satisfies it. */
export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  /** Expects names in lower case. */
  readonly headers: { get(name: string): string | null };
  readonly signal: AbortSignal;
  /** Aborts the signal; absent if this is not possible. */
  abort?(): void;
  /** The body in chunks; null if there is none. */
  readonly body: AsyncIterable<Uint8Array> | null;
  /** Returns the complete body. */
  arrayBuffer(): Promise<ArrayBuffer | Uint8Array>;
}

/** A complete body, or the chunks of a file that is produced while the client reads it. */
type ResponseBody = string | Uint8Array | AsyncGenerator<string> | null;

/** A response that is not yet written to a connection. */
export interface HttpResponse<Body extends ResponseBody = ResponseBody> {
  status: number;
  /**
   * Header names in lower case. An array is sent as one header per value. Content-Length is added when the response is
   * written.
   */
  headers: Record<string, string | string[]>;
  body: Body;
}

/**
 * The data that a handler receives together with the request: path parameters and the client's address (behind trusted
 * proxies).
 */
export interface HandlerContext {
  params: Record<string, string>;
  address: string;
}

/** The permitted callers of an endpoint of our JSON API; `chat`: a session or a guest. */
export type AuthRule = 'anyone' | 'chat' | Exclude<UserRule, 'account'>;

/** The authentication and input of an endpoint of our API, for its OpenAPI document and its metadata. */
export interface HandlerSpec {
  /**
   * The permitted callers. `app` authenticates by client id and secret; `client` may also send only its client id. With
   * `none`, credentials are not read.
   */
  auth: AuthRule | 'app' | 'client' | 'none';
  /** The JSON body. */
  body?: z.ZodType;
  /** The query, an object of parameters. */
  query?: z.ZodType;
  /** Parameter names of a form body, instead of JSON. */
  form?: readonly string[];
  /** The format of its errors, unless it is problem JSON. */
  errorFormat?: 'ard' | 'oauth' | 'openai';
}

/** The response to a request that failed. It has no body for a notification. */
export type ErrorResponse = HttpResponse<string | null>;

/** Renders the error of a request that is rejected before any work, in the format of the endpoint's errors. */
type RenderRejection = (request: HttpRequest, error: ParleyError) => ErrorResponse;

/** A handler of the data plane. lib/endpoints/table.ts lists all of them. */
export interface Handler<Result = HttpResponse | EventStream> {
  (request: HttpRequest, context: HandlerContext): Promise<Result>;
  /** Absent for A2A endpoints and public documents. */
  spec?: HandlerSpec;
  /** True for A2A endpoints, which accept only agent tokens. */
  takesAgentTokens?: boolean;
  /** Absent if errors are problem JSON. */
  renderRejection?: RenderRejection;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
