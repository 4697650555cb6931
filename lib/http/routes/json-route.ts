import type { z } from 'zod';
import type { Ctx } from '../../platform/context';
import { sha256 } from '../../platform/crypto';
import { ParleyError } from '../../platform/errors';
import type { JsonValue } from '../../platform/json';
import { type AuthRule, actorOf, requireActor } from '../actor';
import type { Endpoint, EndpointContext } from '../endpoint';
import { renderProblem } from '../render-error';
import { mediaTypeOf, readStorableJson, requestIdOf } from '../request';
import { resourceOf } from '../resource';
import { respond } from '../respond';

export interface JsonCall<Input> {
  ctx: Ctx;
  input: Input;
  params: Record<string, string>;
  url: URL;
  /** The caller's address, for limits and for what a session remembers. */
  address: string;
  request: Request;
}

interface JsonRoute<Input, Answer> {
  auth: AuthRule;
  /** Shape of the JSON body; leave out for requests without one. */
  body?: z.ZodType<Input>;
  /** A request without any body is one with an empty object. */
  allowsEmptyBody?: boolean;
  /** Answers with a `Response`, a JSON value (200), or nothing (204). */
  handle: (call: JsonCall<Input>) => Promise<Answer>;
  /** The answer has an `ETag`; who has it already gets 304 (RFC 9110 §13.1.2). For what is asked for again and again. */
  hasEtag?: boolean;
}

type JsonResult = Response | object | undefined;

/**
 * An endpoint of our own JSON API: authenticates by session or personal access token, checks Origin, reads and checks
 * the body, renders errors as problem JSON with the request id, and forbids caching.
 */
export function jsonRoute<Input = undefined>(route: JsonRoute<Input, JsonResult>): Endpoint {
  async function answer(request: Request, context: EndpointContext): Promise<Response> {
    const requestId = requestIdOf(request);
    try {
      const answer = await runJsonRoute(route, request, { ...context, requestId });
      return route.hasEtag && answer && !(answer instanceof Response)
        ? toEtagResponse(JSON.stringify(answer), { request, requestId })
        : toResponse(answer, requestId);
    } catch (error) {
      return renderProblem(error, requestId, resourceOf(request));
    }
  }
  return Object.assign(answer, { facts: { auth: route.auth, body: route.body } });
}

/** Everything of such a call up to its answer. */
export async function runJsonRoute<Input, Answer>(
  route: JsonRoute<Input, Answer>,
  request: Request,
  context: EndpointContext & { requestId: string },
): Promise<Answer> {
  const now = new Date();
  const actor = await actorOf(request, now);
  requireActor(actor, route.auth);
  const read = async (): Promise<JsonValue> =>
    route.allowsEmptyBody && mediaTypeOf(request) === '' ? {} : readStorableJson(request);
  const input = route.body ? parseBody(route.body, await read()) : (undefined as Input);
  const ctx: Ctx = { actor, requestId: context.requestId, signal: request.signal, now };
  return route.handle({
    ctx,
    input,
    params: context.params,
    url: new URL(request.url),
    address: context.address,
    request,
  });
}

/** @throws {ParleyError} `invalid_request` with one entry per faulty member */
export function parseBody<Input>(schema: z.ZodType<Input>, value: JsonValue | unknown): Input {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => ({
    pointer: issue.path.map((step) => `/${String(step).replace(/~/g, '~0').replace(/\//g, '~1')}`).join(''),
    message: issue.message,
  }));
  const first = faults[0];
  throw new ParleyError('invalid_request', `${first?.pointer || 'The body'}: ${first?.message}`, { data: { faults } });
}

/** Kept by whoever asked, and never used without asking again: the next person may see something else. */
function toEtagResponse(text: string, { request, requestId }: { request: Request; requestId: string }): Response {
  const etag = `"${sha256(text).slice(0, 32)}"`;
  const headers = {
    etag,
    'cache-control': 'private, no-cache',
    vary: 'Authorization, Cookie',
    'x-request-id': requestId,
  };
  if (request.headers.get('if-none-match')?.includes(etag)) return respond(304, null, headers);
  return respond(200, text, { ...headers, 'content-type': 'application/json' });
}

function toResponse(result: JsonResult, requestId: string): Response {
  const headers = { 'cache-control': 'no-store', 'x-request-id': requestId };
  if (result === undefined) return respond(204, null, headers);
  if (!(result instanceof Response)) {
    return respond(200, JSON.stringify(result), { ...headers, 'content-type': 'application/json' });
  }
  if (!result.headers.has('cache-control')) result.headers.set('cache-control', 'no-store');
  result.headers.set('x-request-id', requestId);
  return result;
}
