import type { Authenticate } from './authenticate.js';
import type { Caller } from './caller.js';
import type { Refusal } from './challenge.js';
import type { HeaderValues } from './read-credentials.js';

// The used subset of each framework's types, so that this package does not depend on any of them.

/** A Node request: Express, Connect, Polka, `node:http`. */
export interface NodeRequest {
  rawHeaders: string[];
}

/** A Node response. */
export interface NodeResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(body: string): unknown;
}

export interface FastifyRequest {
  raw: NodeRequest;
}

export interface FastifyReply {
  code(status: number): unknown;
  headers(values: Record<string, string>): unknown;
  send(body: string): unknown;
}

export interface HonoContext {
  req: { raw: Request };
}

export interface Adapters {
  /** Express, and frameworks that pass on Node's request and response: `app.use('/a2a', guard.express)`. */
  express(request: NodeRequest, response: NodeResponse, next: (error?: unknown) => void): Promise<void>;
  /** Fastify, as a hook: `app.addHook('onRequest', guard.fastify)`. */
  fastify(request: FastifyRequest, reply: FastifyReply): Promise<unknown>;
  /** Hono: `app.use('/a2a/*', guard.hono)`. */
  hono(context: HonoContext, next: () => Promise<void>): Promise<Response | undefined>;
  /** Servers that map a `Request` to a `Response`: Deno, Bun, workers, route handlers. */
  fetch<Rest extends unknown[]>(
    handler: (request: Request, caller: Caller, ...rest: Rest) => Response | Promise<Response>,
  ): (request: Request, ...rest: Rest) => Promise<Response>;
  /**
   * Returns the caller, for a handler behind one of the above; takes the request (in Hono: the context) that the
   * handler received.
   * @throws {TypeError} if the request did not come through this guard
   */
  callerOf(request: object): Caller;
}

/** Adapts one authentication decision to each framework. */
export function createAdapters(admit: Authenticate): Adapters {
  const callers = new WeakMap<object, Caller>();
  return {
    async express(request, response, next) {
      try {
        const admitted = await admit(valuesOf(request.rawHeaders));
        if ('refusal' in admitted) return sendNode(response, admitted.refusal);
        callers.set(request, admitted.caller);
      } catch (error) {
        return next(error);
      }
      next();
    },
    async fastify(request, reply) {
      const admitted = await admit(valuesOf(request.raw.rawHeaders));
      if ('caller' in admitted) {
        callers.set(request, admitted.caller);
        return undefined;
      }
      const { status, headers, body } = admitted.refusal;
      reply.code(status);
      reply.headers(headers);
      reply.send(body);
      // Fastify continues with the route unless the hook returns the reply.
      return reply;
    },
    async hono(context, next) {
      const admitted = await admit(headersOf(context.req.raw));
      if ('refusal' in admitted) return toResponse(admitted.refusal);
      callers.set(context, admitted.caller);
      await next();
      return undefined;
    },
    fetch:
      (handler) =>
      async (request, ...rest) => {
        const admitted = await admit(headersOf(request));
        if ('refusal' in admitted) return toResponse(admitted.refusal);
        callers.set(request, admitted.caller);
        return handler(request, admitted.caller, ...rest);
      },
    callerOf(request) {
      const caller = callers.get(request);
      if (!caller)
        throw new TypeError("this request did not pass the guard; add the guard's middleware before this handler");
      return caller;
    },
  };
}

/** Reads header values. Node's `headers` drop a second `Authorization` header; the raw headers contain both. */
function valuesOf(rawHeaders: string[]): HeaderValues {
  return (name) =>
    rawHeaders.filter((_value, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);
}

function headersOf(request: Request): HeaderValues {
  return (name) => {
    const value = request.headers.get(name);
    return value === null ? [] : [value];
  };
}

function sendNode(response: NodeResponse, { status, headers, body }: Refusal): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.end(body);
}

function toResponse({ status, headers, body }: Refusal): Response {
  return new Response(body, { status, headers });
}
