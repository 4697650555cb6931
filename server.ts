import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import next from 'next';
import { findAgent, maySeeAgent } from './lib/catalog';
import { drainNode, releaseNodeRuns, startNode, stopNode } from './lib/endpoints/lifecycle';
import { rejectUnmatched } from './lib/endpoints/reject-unmatched';
import { type EndpointMatch, matchEndpoint } from './lib/endpoints/router';
import { viewerOf } from './lib/http/actor';
import { limitConnections } from './lib/http/guard/connection-limit';
import { allowsAnyOrigin, corsHeaders, isPreflight, preflightHeaders } from './lib/http/guard/cors';
import { canonicalPageUrl, guardRequest } from './lib/http/guard/guard-request';
import { closePipelinedResponses } from './lib/http/guard/pipelined-responses';
import { handleNode } from './lib/http/node-adapter';
import { isForPage } from './lib/http/pages/page-path';
import { type PageHandler, servePages } from './lib/http/pages/serve-pages';
import { problemOf, renderProblem } from './lib/http/render-error';
import { setResponseClass } from './lib/http/respond';
import { EventStream } from './lib/http/sse/event-stream';
import { closeStreams, sendStream } from './lib/http/sse/send-stream';
import { clientAddress } from './lib/platform/address';
import { env } from './lib/platform/env';
import { ParleyError } from './lib/platform/errors';
import { newId } from './lib/platform/ids';
import { errorFields, log } from './lib/platform/log';
import { isStopping, markStopping } from './lib/platform/readiness';

/**
 * Headers within 10 s, the whole request within 60 s. Idle connections stay longer than proxies and clients keep them, so
 * that none of these meets a connection that we are just closing.
 */
const serverTimeouts = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
};
/** How long a caller may take to read an answer to a body that was not read to its end, milliseconds. */
const lingerMs = 500;
const maxDrainBytes = 65_536;
/** After the drain: how long answers that are written at its end may take, and how long idle connections may still ask, milliseconds. */
const finalDrainMs = 2_000;
const idleGraceMs = 1_000;

/** Serves Parley: refuses what no handler should see, answers the data plane itself, gives the rest to Next. */
export async function startServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const { HOST, PORT, APP_URL, NODE_ENV } = env();
  const dev = NODE_ENV === 'development';
  // When nobody reads the log any more, that cannot be logged: to try would go on for ever.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  await startNode();
  const server = createServer(serverTimeouts);
  // Next listens for upgrades on the server that it is given. In production that is one that serves nobody: an offer to speak
  // another protocol is passed over and the request answered as any other (RFC 9110 §7.8).
  const app = next({ dev, dir: process.cwd(), httpServer: dev ? server : createServer() });
  await app.prepare();
  const pages = dev ? app.getRequestHandler() : servePages(app.getRequestHandler());
  if (!dev) setResponseClass(listenerResponseClass());
  limitConnections(server);
  const requests = countRequests();
  server.on('request', (request, response) => {
    requests.begin();
    response.setHeader('x-content-type-options', 'nosniff');
    // Its client opens the next connection elsewhere.
    if (isStopping()) response.shouldKeepAlive = false;
    closePipelinedResponses(request, response);
    response.once('prefinish', () => delaySocketClose(request));
    response.once('close', () => {
      requests.end();
      if (response.writableFinished) discardUnreadBody(request);
    });
    const fail = (error: unknown): void => {
      log.error('request.failed', errorFields(error));
      response.destroy();
    };
    try {
      serve(request, response, { pages, dev })?.catch(fail);
    } catch (error) {
      fail(error);
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(PORT, HOST, resolve);
  });
  return {
    url: APP_URL,
    async stop() {
      markStopping();
      await delay(env().SHUTDOWN_DELAY_SECONDS * 1_000);
      await drain(server, requests, env().DRAIN_SECONDS * 1_000);
      await app.close();
      await stopNode();
    },
  };
}

/**
 * Accepts no more connections, has readers of streams come back elsewhere, and waits for what is under way. Connections that are open
 * may still ask, and are told to close with the answer: closing an idle one could cross with a request on it.
 */
async function drain(server: Server, requests: ReturnType<typeof countRequests>, withinMs: number): Promise<void> {
  // The method of HTTP servers would close idle connections as well.
  NetServer.prototype.close.call(server);
  closeStreams();
  const deadline = performance.now() + withinMs;
  const remainingMs = (): number => Math.max(0, deadline - performance.now());
  await Promise.all([drainNode(withinMs), requests.drained(withinMs)]);
  for (let waited = 0; waited < idleGraceMs && (await countConnections(server)) > 0; waited += 50) await delay(50);
  await Promise.all([drainNode(remainingMs()), requests.drained(remainingMs())]);
  await releaseNodeRuns();
  await requests.drained(finalDrainMs);
  server.closeAllConnections();
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count ?? 0)));
}

/**
 * How many requests are being answered. A number and no set of them: a set that changes with every request grows into new
 * tables all the time, and the old ones keep what they held alive until it is expensive to collect.
 */
function countRequests(): { begin: () => void; end: () => void; drained: (withinMs: number) => Promise<void> } {
  let open = 0;
  let onChange: () => void = () => undefined;
  return {
    begin() {
      open += 1;
    },
    end() {
      open -= 1;
      onChange();
    },
    drained: (withinMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, withinMs);
        onChange = () => {
          if (open > 0) return;
          clearTimeout(timer);
          resolve();
        };
        onChange();
      }),
  };
}

/** A promise when the answer is not written yet. */
function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { pages, dev }: { pages: PageHandler; dev: boolean },
): Promise<void> | undefined {
  const rejection = guardRequest(request);
  if (rejection) {
    const { status, headers, body } = problemOf(rejection, newId('req'));
    response.writeHead(status, { ...headers, connection: 'close' }).end(body);
    return undefined;
  }
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  const { method = 'GET' } = request;
  const { accept = '', 'content-type': contentType = '' } = request.headers;
  const isPage = isForPage({ method, path, contentType, accept });
  if (request.headers.origin !== undefined && !isPage && handlePreflight(request, response, path)) return undefined;
  const match = isPage ? { kind: 'none' as const } : matchEndpoint(method, path);
  if (match.kind === 'endpoint' && !dev) {
    const { params, endpoint } = match;
    if (endpoint.direct) {
      return handleNode(endpoint.direct, { request, response, context: { params, address: addressOf(request) } });
    }
    matches.set(request, match);
    return dataPlane(request, response);
  }
  const mayBePage = match.kind === 'none' && (isPage || isNextRoute(method, path));
  const unmatched = match.kind === 'endpoint' || mayBePage ? null : rejectUnmatched({ method, path });
  if (unmatched) {
    response.writeHead(unmatched.status, unmatched.headers).end(unmatched.body);
    return undefined;
  }
  const canonicalUrl = match.kind === 'none' ? canonicalPageUrl(request) : null;
  if (canonicalUrl) {
    response.writeHead(307, { location: canonicalUrl }).end();
    return undefined;
  }
  return servePage(request, response, { pages, path });
}

/**
 * Answers the preflight of a call from a page of another origin; anything else gets the headers that let such a page read its
 * answer, where the path is open to them.
 */
function handlePreflight(request: IncomingMessage, response: ServerResponse, path: string): boolean {
  if (!allowsAnyOrigin(path)) return false;
  const { method = 'GET', headers } = request;
  const asked = headers['access-control-request-method'] ?? null;
  if (isPreflight({ method, origin: headers.origin ?? null, requestedMethod: asked })) {
    response.writeHead(204, preflightHeaders).end();
    return true;
  }
  for (const [name, value] of Object.entries(corsHeaders)) response.setHeader(name, value);
  return false;
}

/** True for what app/ serves by itself below the paths of programs: sign-in at providers. */
function isNextRoute(method: string, path: string): boolean {
  return path.startsWith('/api/auth/') && (method === 'GET' || method === 'HEAD' || method === 'POST');
}

async function servePage(
  request: IncomingMessage,
  response: ServerResponse,
  { pages, path }: { pages: PageHandler; path: string },
): Promise<void> {
  await setGoneHeader(request, path);
  // Next would believe a caller who sends this header; from here on it holds the address that we know.
  request.headers['x-forwarded-for'] = addressOf(request);
  return pages(request, response);
}

/** Tells the middleware that an agent is gone from this page, and why: only a rewrite there can answer 410. */
async function setGoneHeader(request: IncomingMessage, path: string): Promise<void> {
  delete request.headers['x-parley-gone'];
  const slug = /^\/agents\/([\w-]{1,60})\/?$/.exec(path)?.[1];
  const agent = slug ? await findAgent(slug) : null;
  if (!agent?.everPublic) return;
  if (agent.status === 'withdrawn') request.headers['x-parley-gone'] = 'withdrawn';
  else if (agent.status === 'suspended' && !maySeeAgent(await viewerOf(request.headers.cookie), agent)) {
    request.headers['x-parley-gone'] = 'removed';
  }
}

/**
 * After an answer that came before the body was read: a small body that is on its way is let in, so that the connection
 * goes on for the next request; of anything else nothing more is taken in and the connection closes (LIM-1).
 */
function discardUnreadBody(request: IncomingMessage): void {
  if (request.complete) return;
  if (Number(request.headers['content-length'] ?? Number.NaN) <= maxDrainBytes) request.resume();
  else request.pause();
  setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, lingerMs).unref();
}

/**
 * Node closes the connection at once behind an answer that says so. With a body still on its way that is a reset, which can reach
 * the caller before the answer does (RFC 9112 §9.6).
 */
function delaySocketClose({ complete, socket }: IncomingMessage): void {
  if (complete) return;
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), lingerMs).unref();
  };
}

function addressOf(request: IncomingMessage): string {
  const forwardedFor = request.headers['x-forwarded-for'];
  return clientAddress(request.socket.remoteAddress ?? '', forwardedFor === undefined ? null : String(forwardedFor));
}

/** What the data plane's requests were matched with. */
const matches = new WeakMap<IncomingMessage, EndpointMatch>();

const dataPlane = getRequestListener(
  async (request, bindings) => {
    const { incoming, outgoing } = bindings as HttpBindings;
    const match = matches.get(incoming);
    if (!match) return notFound();
    const answer = await match.endpoint(request, { params: match.params, address: addressOf(incoming) });
    if (!(answer instanceof EventStream)) return answer;
    void sendStream(answer, outgoing);
    return RESPONSE_ALREADY_SENT;
  },
  { errorHandler: (error) => renderProblem(error, newId('req')), overrideGlobalObjects: false },
);

/** The listener's Response, which it shows only by putting it in the place of the global one. Next keeps Node's. */
function listenerResponseClass(): typeof Response {
  const originals = { Request: globalThis.Request, Response: globalThis.Response };
  getRequestListener(notFound);
  const { Response: listenerResponse } = globalThis;
  for (const [name, value] of Object.entries(originals)) {
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  }
  return listenerResponse;
}

function notFound(): Response {
  return renderProblem(new ParleyError('not_found', 'There is nothing at this address.'), newId('req'));
}
