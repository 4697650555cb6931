import { z } from 'zod';
import { authorize, authorizeChat } from '../../identity';
import type { Ctx } from '../../platform/context';
import { readFromReplica } from '../../platform/db/replicas/read-from-replica';
import { ParleyError } from '../../platform/errors';
import type { JsonValue } from '../../platform/json';
import { actorOf, hostActorOf, isForHosts } from '../credentials';
import { ardErrorOf, oauthErrorOf, openAiErrorResponse } from '../errors/error-formats';
import { problemOf } from '../errors/render-error';
import type { AuthRule, Handler, HandlerContext, HandlerSpec, HttpRequest, HttpResponse } from '../handler';
import { mediaTypeOf, readStorableJson, requestIdOf, resourceOf } from '../request';
import { CompleteResponse, etagOf, isNotModified, jsonResponse, respond } from '../respond';
import { EventStream } from '../sse';

interface JsonCall<Input, Query> {
  ctx: Ctx;
  input: Input;
  query: Query;
  params: Record<string, string>;
  /** The client's address, for rate limits and session records. */
  address: string;
  request: HttpRequest;
}

/** The common options of the two kinds of routes. */
interface ApiRoute<Input, Query, Result> {
  auth: AuthRule;
  /** Schema of the JSON body; absent if requests have none. */
  body?: z.ZodType<Input>;
  /** True if a missing or empty body counts as an empty object. */
  allowsEmptyBody?: boolean;
  /** True if the body is read as JSON for any media type, because `curl -d` sends another one. */
  acceptsAnyType?: boolean;
  /** Schema of the query; absent if the query is ignored. */
  query?: z.ZodType<Query>;
  /** Reads the value that `query` validates, by default the first value of each parameter. */
  readQuery?: QueryReader;
  /** The reads of `handle` may go to a replica (lib/http/endpoint.ts). */
  reads?: 'replica';
  /** Returns a JSON value (200), undefined (204), or another value that the kind of route permits. */
  handle: (call: JsonCall<Input, Query>) => Promise<Result>;
  /** The format of errors: that of ARD, OAuth or OpenAI, or problem JSON by default. */
  errorFormat?: HandlerSpec['errorFormat'];
}

export interface JsonRoute<Input, Query = undefined> extends ApiRoute<Input, Query, JsonResult> {
  /** True to send an `ETag`, and 304 if it matches (RFC 9110 §13.1.2). For frequently repeated requests. */
  hasEtag?: boolean;
}

const errorRenderers = { ard: ardErrorOf, oauth: oauthErrorOf, openai: openAiErrorResponse };

type JsonResult = CompleteResponse | object | undefined;

/**
 * Returns a handler of our JSON API, which authenticates by session or personal access token, checks `Origin`,
 * validates body and query, renders errors as problem JSON with the request id, and prevents caching.
 */
export function jsonRoute<Input = undefined, Query = undefined>(route: JsonRoute<Input, Query>): Handler<HttpResponse> {
  const { auth, body, query, errorFormat } = route;
  async function handler(request: HttpRequest, context: HandlerContext): Promise<HttpResponse> {
    const requestId = requestIdOf(request);
    try {
      const result = await runApiRoute(route, request, { ...context, requestId });
      return route.hasEtag && result && !(result instanceof CompleteResponse)
        ? toEtagResponse(JSON.stringify(result), { request, requestId })
        : toResponse(result, requestId);
    } catch (error) {
      return renderError(error, { requestId, request, errorFormat });
    }
  }
  return Object.assign(handler, { spec: { auth, body, query, errorFormat }, ...rejections(errorFormat) });
}

/** Authenticates, validates and runs a call, without rendering its result. */
async function runApiRoute<Input, Query, Result>(
  route: ApiRoute<Input, Query, Result>,
  request: HttpRequest,
  context: HandlerContext & { requestId: string },
): Promise<Result> {
  const now = new Date();
  const { auth } = route;
  const actor = await (isForHosts(auth) ? hostActorOf(request, now) : actorOf(request, now));
  if (auth === 'chat') authorizeChat(actor);
  else if (auth !== 'anyone') authorize(actor, auth);
  const read = async (): Promise<JsonValue> =>
    route.allowsEmptyBody && (mediaTypeOf(request) === '' || request.headers.get('content-length') === '0')
      ? {}
      : readStorableJson(request, { anyType: route.acceptsAnyType });
  const input = route.body ? parseInput(route.body, await read()) : (undefined as Input);
  const query = route.query ? parseQuery(route.query, request, route.readQuery) : (undefined as Query);
  const ctx: Ctx = { actor, requestId: context.requestId, signal: request.signal, now };
  const { params, address } = context;
  const handle = (): Promise<Result> => route.handle({ ctx, input, query, params, address, request });
  return route.reads ? readFromReplica(ctx, handle) : handle();
}

/**
 * Validates a value against a schema.
 * @throws {ParleyError} `invalid_request` with one entry per invalid member
 */
export function parseInput<Input>(schema: z.ZodType<Input>, value: unknown): Input {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.flatMap(innerIssues).map(({ path, message }) => ({
    pointer: path.map((step) => `/${String(step).replace(/~/g, '~0').replace(/\//g, '~1')}`).join(''),
    message,
  }));
  const first = faults[0];
  throw new ParleyError('invalid_request', `${first?.pointer || 'The body'}: ${first?.message}`, { data: { faults } });
}

type Issue = Pick<z.core.$ZodIssue, 'path' | 'message'>;

/**
 * Returns the errors of the member of a union that the value most likely means, which is the one that it matches to the
 * greatest depth.
 */
function innerIssues(issue: z.core.$ZodIssue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const options = issue.errors.map((errors) => errors.flatMap(innerIssues));
  const depthOf = (issues: Issue[]): number => Math.max(0, ...issues.map(({ path }) => path.length));
  const depth = Math.max(0, ...options.map(depthOf));
  if (depth === 0) return [issue];
  const closest = options.find((issues) => depthOf(issues) === depth) ?? [];
  return closest.map(({ path, message }) => ({ path: [...issue.path, ...path], message }));
}

function parseQuery<Query>(schema: z.ZodType<Query>, { url }: HttpRequest, read: QueryReader = firstValues): Query {
  return parseInput(schema, read(new URL(url).searchParams));
}

/**
 * Returns a response that only the client may cache and that is always revalidated, because another user may receive a
 * different one.
 */
function toEtagResponse(
  text: string,
  { request, requestId }: { request: HttpRequest; requestId: string },
): HttpResponse {
  const etag = etagOf(text);
  const headers = {
    etag,
    'cache-control': 'private, no-cache',
    vary: 'Authorization, Cookie',
    'x-request-id': requestId,
  };
  if (isNotModified(request, etag)) return respond(304, null, headers);
  return respond(200, text, { ...headers, 'content-type': 'application/json' });
}

function toResponse(result: JsonResult, requestId: string): HttpResponse {
  const { status, body, headers } = asResponse(result);
  return { status, body, headers: { 'cache-control': 'no-store', ...headers, 'x-request-id': requestId } };
}

function asResponse(result: JsonResult): HttpResponse {
  if (result instanceof CompleteResponse) return result;
  return result === undefined ? respond(204, null) : jsonResponse(result);
}

type StreamRoute<Input, Query> = ApiRoute<Input, Query, EventStream | JsonResult>;

/** Like {@link jsonRoute}, but may respond with an event stream. Errors before its start are rendered as JSON. */
export function streamRoute<Input = undefined, Query = undefined>(route: StreamRoute<Input, Query>): Handler {
  const { auth, body, query, errorFormat } = route;
  async function handler(request: HttpRequest, context: HandlerContext): Promise<HttpResponse | EventStream> {
    const requestId = requestIdOf(request);
    try {
      const result = await runApiRoute(route, request, { ...context, requestId });
      if (!(result instanceof EventStream)) return toResponse(result, requestId);
      result.headers['x-request-id'] = requestId;
      return result;
    } catch (error) {
      return renderError(error, { requestId, request, errorFormat });
    }
  }
  return Object.assign(handler, { spec: { auth, body, query, errorFormat }, ...rejections(errorFormat) });
}

function rejections(errorFormat: HandlerSpec['errorFormat']): Pick<Handler, 'renderRejection'> {
  return {
    renderRejection: (request, error) => renderError(error, { requestId: requestIdOf(request), request, errorFormat }),
  };
}

function renderError(
  error: unknown,
  { requestId, request, errorFormat }: { requestId: string; request: HttpRequest } & Pick<HandlerSpec, 'errorFormat'>,
): HttpResponse<string> {
  const render = errorFormat ? errorRenderers[errorFormat] : problemOf;
  return render(error, requestId, resourceOf(request));
}

/** Reads the value that an endpoint's query schema validates. */
export type QueryReader = (parameters: URLSearchParams) => object;

/** Returns the first value of each parameter. */
export const firstValues: QueryReader = (parameters) => Object.fromEntries([...parameters].reverse());

/** Returns the last value of each parameter, as in the filters of lists. */
export const lastValues: QueryReader = (parameters) => Object.fromEntries(parameters);

/** A required text. A missing value is read as an empty text, which matches nothing. */
export const requiredText = z.preprocess((value) => value ?? '', z.string());

/** Marks a parameter that the OpenAPI document omits. */
export const undocumented = { undocumented: true };
