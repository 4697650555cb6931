import type { z } from 'zod';
import { readFromReplica } from '../platform/db/replicas/read-from-replica';
import type { ErrorCode } from '../platform/errors';
import type { Handler, Method } from './handler';
import { type JsonRoute, jsonRoute } from './routes/json-route';

/** One endpoint of the data plane: the requests that it serves, and its description in `/openapi.json`. */
export interface Endpoint extends Description {
  method: Method;
  /**
   * In a path, `:name` is one segment, `:name:verb` and `:name.ending` are one segment with that suffix, and a final
   * `/*` is the rest of the path.
   */
  path: string;
  serve: Handler;
}

interface Description {
  /** The JSON response; absent if the response is not JSON or has no body (204). */
  response?: z.ZodType;
  /** The status on success. Default: 200 with a response schema, 204 without one. */
  status?: 200 | 201 | 202 | 204 | 303;
  /** Media type of a response that is not, or need not be, JSON. */
  mediaType?: string;
  /** Error codes in addition to those that every endpoint of its kind may return. */
  errors?: ErrorCode[];
  /**
   * `replica` if its reads may go to a replica (`readFromReplica`): as the caller with `handle`, as an anonymous reader
   * with `serve`. Absent for tokens, limits, money, tasks in progress, and settings.
   */
  reads?: 'replica';
  /** Absent for endpoints that are not in the OpenAPI document. Required for every endpoint under `/api`. */
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

/** Sections of the API reference with what they are for, in reading order. */
export const apiTags = {
  Agents: 'Find agents, list your own, and change them.',
  'Discovery by ARD': 'The catalog in the format of Agentic Resource Discovery.',
  'Calls by URL': 'Agents behind any address, without a listing.',
  'OpenAI-compatible': 'Agents as models, for libraries and apps that speak OpenAI’s API.',
  Reviews: 'Ratings with words by those who used an agent.',
  Tokens: 'Access tokens, agent tokens and their introspection.',
  Apps: 'Apps of developers, with the secrets by which they authenticate.',
  Chat: 'Conversations, messages, files and shares.',
  Payments: 'Wallets, prices, orders, limits, income, payouts, disputes and invoices.',
  Console: 'Calls, figures and settings of your own agents.',
  Account: 'Profile, sign-in, notifications and erasure.',
  Moderation: 'Reports and decisions.',
  Site: 'What this installation is.',
} as const;

type ApiTag = keyof typeof apiTags;

type Declaration = Omit<Endpoint, 'serve'>;

/**
 * Declares an endpoint. With `handle`, it belongs to our JSON API (`lib/http/routes/json-route.ts`: `auth`, `query`,
 * `body`, problem JSON); `serve` is the handler of another protocol. The table, `Allow`, CORS and OpenAPI are derived
 * from it.
 */
export function endpoint<Input = undefined, Query = undefined>(
  declaration: Declaration & JsonRoute<Input, Query>,
): Endpoint;
export function endpoint(declaration: Endpoint): Endpoint;
export function endpoint<Input, Query>(declaration: Endpoint | (Declaration & JsonRoute<Input, Query>)): Endpoint {
  if ('serve' in declaration) {
    return declaration.reads ? { ...declaration, serve: withReplica(declaration.serve) } : declaration;
  }
  const { method, path, response, status, mediaType, errors, docs } = declaration;
  return { method, path, response, status, mediaType, errors, docs, serve: jsonRoute(declaration) };
}

function withReplica(serve: Handler): Handler {
  const handler: Handler = (...call) => readFromReplica({ actor: { kind: 'anonymous' } }, () => serve(...call));
  return Object.assign(handler, serve);
}

/** Literal text, or a parameter and its suffix within the segment (A2A 1.0 §11.3: `/tasks/{id}:cancel`). */
type Segment = string | { name: string; suffix: string };

interface CompiledEndpoint {
  segments: Segment[];
  endpoint: Endpoint;
}

/** An endpoint's handler and the parameters of its path. */
interface EndpointMatch {
  kind: 'endpoint';
  serve: Handler;
  params: Record<string, string>;
  /** The path of the endpoint, with its parameters' names. */
  path: string;
}

export type Match = EndpointMatch | { kind: 'wrong-method'; allow: string[] } | { kind: 'none' };

/** Finds endpoints by path. */
interface Matcher {
  /** Ignores a trailing slash. HEAD matches the GET endpoint. */
  match(method: string, pathname: string): Match;
  /** Every endpoint of a path, for any method. */
  endpointsAt(pathname: string): { endpoint: Endpoint; params: Record<string, string> }[];
}

/**
 * Compiles endpoints to a matcher. The first matching endpoint is used; paths that end in `/*` match only if no other
 * endpoint does.
 */
export function compileEndpoints(endpoints: Endpoint[]): Matcher {
  const byLength = new Map<number, CompiledEndpoint[]>();
  const wildcardEndpoints: Endpoint[] = [];
  for (const endpoint of endpoints) {
    if (endpoint.path.endsWith('/*')) {
      wildcardEndpoints.push(endpoint);
      continue;
    }
    const segments = endpoint.path.split('/').slice(1).map(compile);
    byLength.set(segments.length, [...(byLength.get(segments.length) ?? []), { endpoint, segments }]);
  }
  const endpointsOf = (segments: string[]): CompiledEndpoint[] => byLength.get(segments.length) ?? [];
  const wildcardMatches = (pathname: string): CompiledEndpoint[] =>
    wildcardEndpoints
      .filter(({ path }) => pathname.startsWith(path.slice(0, -1)))
      .map((endpoint) => ({ endpoint, segments: [] }));
  return {
    match(method, pathname) {
      const segments = segmentsOf(pathname);
      const match = matchAmong(endpointsOf(segments), method, segments);
      return match.kind === 'none' && wildcardEndpoints.length > 0
        ? matchAmong(wildcardMatches(pathname), method, segments)
        : match;
    },
    endpointsAt(pathname) {
      const segments = segmentsOf(pathname);
      return endpointsOf(segments).flatMap(({ endpoint, segments: pattern }) => {
        const params = hasLiterals(pattern, segments) ? matchSegments(pattern, segments) : null;
        return params ? [{ endpoint, params }] : [];
      });
    },
  };
}

function compile(segment: string): Segment {
  const [, name, suffix = ''] = /^:(\w+)([:.]\w+)?$/.exec(segment) ?? [];
  return name ? { name, suffix } : segment;
}

function segmentsOf(pathname: string): string[] {
  const path = pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname;
  return path.split('/').slice(1);
}

function matchAmong(endpoints: CompiledEndpoint[], method: string, segments: string[]): Match {
  const allow: string[] = [];
  for (const { endpoint, segments: pattern } of endpoints) {
    if (!hasLiterals(pattern, segments)) continue;
    const params = matchSegments(pattern, segments);
    if (!params) continue;
    if (endpoint.method === method || (endpoint.method === 'GET' && method === 'HEAD')) {
      return { kind: 'endpoint', serve: endpoint.serve, params, path: endpoint.path };
    }
    if (!allow.includes(endpoint.method)) allow.push(endpoint.method);
  }
  return allow.length > 0 ? { kind: 'wrong-method', allow } : { kind: 'none' };
}

/**
 * Returns true if the literal segments match. Checked first, because this excludes nearly all endpoints and allocates
 * nothing.
 */
function hasLiterals(pattern: Segment[], segments: string[]): boolean {
  for (let index = 0; index < pattern.length; index++) {
    const expected = pattern[index];
    if (typeof expected === 'string' && expected !== segments[index]) return false;
  }
  return true;
}

function matchSegments(pattern: Segment[], segments: string[]): Record<string, string> | null {
  const params: Record<string, string> = {};
  for (let index = 0; index < pattern.length; index++) {
    const expected = pattern[index];
    if (expected === undefined || typeof expected === 'string') continue;
    const match = segments[index] ?? '';
    const { name, suffix } = expected;
    if (!match.endsWith(suffix)) return null;
    const value = decode(match.slice(0, match.length - suffix.length));
    if (!value) return null;
    params[name] = value;
  }
  return params;
}

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
