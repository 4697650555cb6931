import type { z } from 'zod';
import type { ErrorCode } from '../platform/errors';
import type { Handler, Method } from './handler';
import { type JsonRoute, jsonRoute } from './routes/json-route';

/** One endpoint of the data plane: the request it serves and its description in `/openapi.json`. */
export interface Endpoint extends Description {
  method: Method;
  /**
   * `:name` is one segment, `:name:verb` and `:name.ending` one with that suffix, a final `/*` the rest of the path.
   */
  path: string;
  serve: Handler;
}

interface Description {
  /** The JSON response; absent where the response is not JSON or has no body (204). */
  response?: z.ZodType;
  /** Status of success, when it is not 200 with a response and 204 without. */
  status?: 200 | 201 | 202 | 204 | 303;
  /** Media type of a response that is not, or need not be, JSON. */
  mediaType?: string;
  /** Error codes beyond those that every endpoint of its kind may return. */
  errors?: ErrorCode[];
  /** Absent for endpoints that are not in the OpenAPI document; every endpoint below `/api` has it. */
  docs?: EndpointDocs;
}

/**
 * The description of an endpoint in the OpenAPI document. Callers, queries and bodies come from the endpoint itself.
 */
export interface EndpointDocs {
  tag: ApiTag;
  /** A verb and its object: `Withdraw an agent`. */
  summary: string;
  description?: string;
}

/** Sections of the API reference, in reading order. */
export const apiTags = [
  'Agents',
  'Discovery by ARD',
  'Calls by URL',
  'OpenAI-compatible',
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

type Declaration = Omit<Endpoint, 'serve'>;

/**
 * Declares an endpoint. With `handle`, it belongs to our JSON API (`lib/http/routes/json-route.ts`: `auth`, `query`,
 * `body`, problem JSON); `serve` is the handler of another protocol. The table, `Allow`, CORS and OpenAPI derive from
 * it.
 */
export function endpoint<Input = undefined, Query = undefined>(
  declaration: Declaration & JsonRoute<Input, Query>,
): Endpoint;
export function endpoint(declaration: Endpoint): Endpoint;
export function endpoint<Input, Query>(declaration: Endpoint | (Declaration & JsonRoute<Input, Query>)): Endpoint {
  if ('serve' in declaration) return declaration;
  const { method, path, response, status, mediaType, errors, docs } = declaration;
  return { method, path, response, status, mediaType, errors, docs, serve: jsonRoute(declaration) };
}
