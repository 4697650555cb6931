import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import next from 'next';
import { findAgent, maySeeAgent } from './lib/catalog';
import { finishNode, releaseNode, startNode, stopNode } from './lib/endpoints/node';
import { refuseUnmatched } from './lib/endpoints/refuse-unmatched';
import { type EndpointMatch, matchEndpoint } from './lib/endpoints/router';
import { viewerOf } from './lib/http/actor';
import { closeBehindAnother } from './lib/http/behind-another';
import { limitConnections } from './lib/http/connection-limit';
import { crossOriginHeaders, isOpenToOrigins, isPreflight, preflightHeaders } from './lib/http/cors';
import { answerDirectly } from './lib/http/direct';
import { EventStream } from './lib/http/event-stream';
import { canonicalPage, guardRequest } from './lib/http/guard';
import { isForPage } from './lib/http/page-path';
import { problemOf, renderProblem } from './lib/http/render-error';
import { respondWith } from './lib/http/respond';
import { endStreams, sendStream } from './lib/http/send-stream';
import { type PageHandler, servePages } from './lib/http/serve-pages';
import { clientAddress } from './lib/platform/address';
import { env } from './lib/platform/env';
import { ParleyError } from './lib/platform/errors';
import { newId } from './lib/platform/ids';
import { errorFields, log } from './lib/platform/log';
import { isStopping, refuseReadiness } from './lib/platform/readiness';

/**
 * Headers within 10 s, the whole request within 60 s. Idle connections stay longer than proxies and clients keep them, so
 * that none of these meets a connection that we are just closing.
 */
const patience = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
};
/** How long a caller may take to read an answer to a body that was not read to its end, milliseconds. */
const lingerMs = 500;
const smallBodyBytes = 65_536;
/** After the drain: how long answers that are written at its end may take, and how long idle connections may still ask, milliseconds. */
const lastAnswersMs = 2_000;
const idleMs = 1_000;

/** Serves Parley: refuses what no handler should see, answers the data plane itself, gives the rest to Next. */
export async function startServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const { HOST, PORT, APP_URL, NODE_ENV } = env();
  const dev = NODE_ENV === 'development';
  // When nobody reads the log any more, that cannot be logged: to try would go on for ever.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  await startNode();
  const server = createServer(patience);
  // Next listens for upgrades on the server that it is given. In production that is one that serves nobody: an offer to speak
  // another protocol is passed over and the request answered as any other (RFC 9110 §7.8).
  const app = next({ dev, dir: process.cwd(), httpServer: dev ? server : createServer() });
  await app.prepare();
  const pages = dev ? app.getRequestHandler() : servePages(app.getRequestHandler());
  if (!dev) respondWith(responseOfListener());
  limitConnections(server);
  const requests = countRequests();
  server.on('request', (request, response) => {
    requests.begin();
    response.setHeader('x-content-type-options', 'nosniff');
    // Its client opens the next connection elsewhere.
    if (isStopping()) response.shouldKeepAlive = false;
    closeBehindAnother(request, response);
    response.once('prefinish', () => closeLater(request));
    response.once('close', () => {
      requests.end();
      if (response.writableFinished) leaveUnread(request);
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
      refuseReadiness();
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
  endStreams();
  const endsAt = performance.now() + withinMs;
  const left = (): number => Math.max(0, endsAt - performance.now());
  await Promise.all([finishNode(withinMs), requests.settled(withinMs)]);
  for (let waited = 0; waited < idleMs && (await countConnections(server)) > 0; waited += 50) await delay(50);
  await Promise.all([finishNode(left()), requests.settled(left())]);
  await releaseNode();
  await requests.settled(lastAnswersMs);
  server.closeAllConnections();
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count ?? 0)));
}

/**
 * How many requests are being answered. A number and no set of them: a set that changes with every request grows into new
 * tables all the time, and the old ones keep what they held alive until it is expensive to collect.
 */
function countRequests(): { begin: () => void; end: () => void; settled: (withinMs: number) => Promise<void> } {
  let open = 0;
  let changed: () => void = () => undefined;
  return {
    begin() {
      open += 1;
    },
    end() {
      open -= 1;
      changed();
    },
    settled: (withinMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, withinMs);
        changed = () => {
          if (open > 0) return;
          clearTimeout(timer);
          resolve();
        };
        changed();
      }),
  };
}

/** A promise when the answer is not written yet. */
function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { pages, dev }: { pages: PageHandler; dev: boolean },
): Promise<void> | undefined {
  const refusal = guardRequest(request);
  if (refusal) {
    const { status, headers, body } = problemOf(refusal, newId('req'));
    response.writeHead(status, { ...headers, connection: 'close' }).end(body);
    return undefined;
  }
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  const { method = 'GET' } = request;
  const { accept = '', 'content-type': contentType = '' } = request.headers;
  const isPage = isForPage({ method, path, contentType, accept });
  if (request.headers.origin !== undefined && !isPage && answersPreflight(request, response, path)) return undefined;
  const match = isPage ? { kind: 'none' as const } : matchEndpoint(method, path);
  if (match.kind === 'endpoint' && !dev) {
    const { params, endpoint } = match;
    if (endpoint.direct) {
      return answerDirectly(endpoint.direct, { request, response, context: { params, address: addressOf(request) } });
    }
    matches.set(request, match);
    return dataPlane(request, response);
  }
  const mayBePage = match.kind === 'none' && (isPage || isOfNext(method, path));
  const refused = match.kind === 'endpoint' || mayBePage ? null : refuseUnmatched({ method, path });
  if (refused) {
    response.writeHead(refused.status, refused.headers).end(refused.body);
    return undefined;
  }
  const elsewhere = match.kind === 'none' ? canonicalPage(request) : null;
  if (elsewhere) {
    response.writeHead(307, { location: elsewhere }).end();
    return undefined;
  }
  return servePage(request, response, { pages, path });
}

/**
 * Answers the preflight of a call from a page of another origin; anything else gets the headers that let such a page read its
 * answer, where the path is open to them.
 */
function answersPreflight(request: IncomingMessage, response: ServerResponse, path: string): boolean {
  if (!isOpenToOrigins(path)) return false;
  const { method = 'GET', headers } = request;
  const asked = headers['access-control-request-method'] ?? null;
  if (isPreflight({ method, origin: headers.origin ?? null, asked })) {
    response.writeHead(204, preflightHeaders).end();
    return true;
  }
  for (const [name, value] of Object.entries(crossOriginHeaders)) response.setHeader(name, value);
  return false;
}

/** True for what app/ serves by itself below the paths of programs: sign-in at providers. */
function isOfNext(method: string, path: string): boolean {
  return path.startsWith('/api/auth/') && (method === 'GET' || method === 'HEAD' || method === 'POST');
}

async function servePage(
  request: IncomingMessage,
  response: ServerResponse,
  { pages, path }: { pages: PageHandler; path: string },
): Promise<void> {
  await markGone(request, path);
  // Next would believe a caller who sends this header; from here on it holds the address that we know.
  request.headers['x-forwarded-for'] = addressOf(request);
  return pages(request, response);
}

/** Tells the middleware that an agent is gone from this page, and why: only a rewrite there can answer 410. */
async function markGone(request: IncomingMessage, path: string): Promise<void> {
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
function leaveUnread(request: IncomingMessage): void {
  if (request.complete) return;
  if (Number(request.headers['content-length'] ?? Number.NaN) <= smallBodyBytes) request.resume();
  else request.pause();
  setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, lingerMs).unref();
}

/**
 * Node closes the connection at once behind an answer that says so. With a body still on its way that is a reset, which can reach
 * the caller before the answer does (RFC 9112 §9.6).
 */
function closeLater({ complete, socket }: IncomingMessage): void {
  if (complete) return;
  socket.destroySoon = () => {
    socket.end();
    setTimeout(() => socket.destroy(), lingerMs).unref();
  };
}

function addressOf(request: IncomingMessage): string {
  const given = request.headers['x-forwarded-for'];
  return clientAddress(request.socket.remoteAddress ?? '', given === undefined ? null : String(given));
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
function responseOfListener(): typeof Response {
  const own = { Request: globalThis.Request, Response: globalThis.Response };
  getRequestListener(notFound);
  const { Response: found } = globalThis;
  for (const [name, value] of Object.entries(own)) {
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  }
  return found;
}

function notFound(): Response {
  return renderProblem(new ParleyError('not_found', 'There is nothing at this address.'), newId('req'));
}
