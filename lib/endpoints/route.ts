import type { z } from 'zod';
import type { Method, StreamEndpoint } from '../http/endpoint';
import type { ErrorCode } from '../platform/errors';

export interface Route {
  method: Method;
  /** Path with `:name` for one segment, or `:name:verb` and `:name.ending` for one that ends so. */
  path: string;
  endpoint: StreamEndpoint;
  /** What `/openapi.json` says of it; every row below `/api` has one. */
  docs?: RouteDocs;
}

/** What a developer must know of an endpoint. Who may call it and the body come from the endpoint itself. */
export interface RouteDocs {
  /** The part of the API that it stands in. */
  tag: ApiTag;
  /** What it does, in a few words with a verb first: `Withdraw an agent`. */
  summary: string;
  /** What else a caller must know, in sentences. */
  description?: string;
  /** Parameters of the query, all strings on the wire. */
  query?: z.ZodType;
  /** The JSON answer; left out where there is another, or no body (204). */
  response?: z.ZodType;
  /** Status of success, when it is not 200 with an answer and 204 without. */
  status?: 200 | 201 | 202 | 204 | 303;
  /** Media type of an answer that is not JSON, or need not be. */
  mediaType?: string;
  /** Codes of problems beyond those that every endpoint of its kind may answer. */
  problems?: ErrorCode[];
}

/** Parts of the API, in the order in which they are read. */
export const apiTags = [
  'Agents',
  'Reviews',
  'Tokens',
  'Apps',
  'Chat',
  'Payments',
  'Console',
  'Account',
  'Moderation',
  'Site',
] as const;

export type ApiTag = (typeof apiTags)[number];
