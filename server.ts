import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import next from 'next';
import { admitRequest } from './lib/endpoints/admission';
import { startGrpc } from './lib/endpoints/grpc';
import { setPageHeaders } from './lib/endpoints/middleware-facts';
import { matchEndpoint, rejectUnmatched } from './lib/endpoints/router';
import { acceptUpgrade, rejectWithoutUpgrade } from './lib/endpoints/worker-connections';
import { watchAcceptQueue } from './lib/http/admission/accept-queue';
import { errorAt } from './lib/http/errors/error-formats';
import {
  closePipelinedResponses,
  countRequests,
  delaySocketClose,
  discardUnreadBody,
  limitConnections,
  type OpenRequests,
} from './lib/http/guard/connections';
import { allowsAnyOrigin, corsHeaders, isPreflight, preflightHeaders } from './lib/http/guard/cors';
import { canonicalPageUrl, guardRequest, isQuietPath, UpgradableMessage } from './lib/http/guard/guard-request';
import { limitSlowBodies, limitStalledReaders } from './lib/http/guard/slow-clients';
import {
  CONNECTION_CHECK_INTERVAL_MS,
  CONNECTION_POLL_MS,
  FINAL_DRAIN_MS,
  HEADERS_TIMEOUT_MS,
  IDLE_GRACE_MS,
  KEEP_ALIVE_MS,
  LISTEN_BACKLOG,
  REQUEST_TIMEOUT_MS,
} from './lib/http/limits';
import { handleNode } from './lib/http/node-adapter';
import { isForPage } from './lib/http/pages/page-requests';
import { type PageHandler, servePages } from './lib/http/pages/serve-pages';
import { closeStreams } from './lib/http/sse';
import { drainNode, letNodeRest, releaseNodeRuns, startNode, stopNode } from './lib/node/lifecycle';
import { measureResponse } from './lib/observability';
import { publishModules } from './lib/pages';
import { clientAddress } from './lib/platform/http-client/client-address';
import { newId } from './lib/platform/ids';
import { markActive } from './lib/platform/runtime/activity';
import { env } from './lib/platform/runtime/env';
import { errorFields, log } from './lib/platform/runtime/log';
import { isStopping, markStopping } from './lib/platform/runtime/readiness';

const serverTimeouts = {
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  connectionsCheckingInterval: CONNECTION_CHECK_INTERVAL_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  // The guard requires a Host header, except for health paths.
  requireHostHeader: false,
};

/**
 * Starts Parley's server, which rejects invalid requests, serves the data plane itself, and passes all other requests
 * to Next.
 */
export async function startServer(): Promise<{ url: string; stop: (how?: { isReplaced?: boolean }) => Promise<void> }> {
  const { HOST, PORT, APP_URL, NODE_ENV, WORKERS } = env();
  const dev = NODE_ENV === 'development';
  // Logging a failed log write would fail again, in an endless loop.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  await startNode();
  letNodeRest();
  publishModules();
  const server = createServer({ ...serverTimeouts, IncomingMessage: UpgradableMessage });
  // Next handles upgrades on the server that it receives. In production, that server is unused: upgrades are ignored,
  // and the request receives a normal response (RFC 9110 §7.8).
  const app = next({ dev, dir: process.cwd(), httpServer: dev ? server : createServer() });
  await app.prepare();
  const pages = dev ? app.getRequestHandler() : servePages(app.getRequestHandler());
  limitConnections(server);
  limitSlowBodies(server, addressOf);
  limitStalledReaders(server);
  const requests = countRequests();
  server.on('request', (request, response) => {
    requests.begin();
    const isQuiet = isQuietPath(request.url ?? '/');
    if (!isQuiet) markActive();
    response.setHeader('x-content-type-options', 'nosniff');
    // The client's next connection is to another node.
    if (isStopping()) response.shouldKeepAlive = false;
    closePipelinedResponses(request, response);
    response.once('prefinish', () => delaySocketClose(request));
    response.once('close', () => {
      requests.end();
      if (!isQuiet) markActive();
      if (response.writableFinished) discardUnreadBody(request);
    });
    const fail = (error: unknown): void => {
      log.error('request.failed', errorFields(error));
      response.destroy();
    };
    try {
      serve(request, response, pages)?.catch(fail);
    } catch (error) {
      fail(error);
    }
  });
  server.on('upgrade', (request, socket, head) => {
    if (!dev || !request.url?.startsWith('/_next/')) acceptUpgrade(request, socket, head);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: PORT, host: HOST, backlog: LISTEN_BACKLOG }, resolve);
  });
  const grpc = await startGrpc();
  watchAcceptQueue(server, WORKERS);
  return {
    url: APP_URL,
    async stop({ isReplaced = false } = {}) {
      markStopping();
      // If another process on this machine serves the same port, load balancers need not react.
      if (!isReplaced) await delay(env().SHUTDOWN_DELAY_SECONDS * 1_000);
      const drainMs = env().DRAIN_SECONDS * 1_000;
      await Promise.all([drain(server, requests, drainMs), grpc?.drain(drainMs)]);
      await app.close();
      await stopNode();
    },
  };
}

/**
 * Stops accepting connections, ends streams so that clients reconnect to another node, and waits for open requests.
 * Open connections may still send requests and are closed by the response, because closing an idle one could race with
 * a request.
 */
async function drain(server: Server, requests: OpenRequests, withinMs: number): Promise<void> {
  // The HTTP server's own close() also closes idle connections.
  NetServer.prototype.close.call(server);
  closeStreams();
  const deadline = performance.now() + withinMs;
  const remainingMs = (): number => Math.max(0, deadline - performance.now());
  await Promise.all([drainNode(withinMs), requests.drained(withinMs)]);
  for (let waited = 0; waited < IDLE_GRACE_MS && (await countConnections(server)) > 0; waited += CONNECTION_POLL_MS)
    await delay(CONNECTION_POLL_MS);
  await Promise.all([drainNode(remainingMs()), requests.drained(remainingMs())]);
  await releaseNodeRuns();
  await requests.drained(FINAL_DRAIN_MS);
  server.closeAllConnections();
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count ?? 0)));
}

/** Serves a request. Returns a promise if the response is not written yet. */
function serve(request: IncomingMessage, response: ServerResponse, pages: PageHandler): Promise<void> | undefined {
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  const rejection = guardRequest(request);
  if (rejection) {
    const { status, headers, body } = errorAt(path, rejection, newId('req'));
    response.writeHead(status, { ...headers, connection: 'close' }).end(body);
    return undefined;
  }
  const { method = 'GET' } = request;
  const { accept = '', 'content-type': contentType = '' } = request.headers;
  if (rejectWithoutUpgrade(request, response)) return undefined;
  const isPage = isForPage({ method, path, contentType, accept });
  if (request.headers.origin !== undefined && !isPage && handlePreflight(request, response, path)) return undefined;
  const match = isPage ? { kind: 'none' as const } : matchEndpoint(method, path);
  if (match.kind === 'endpoint') measureResponse(response, { method, route: match.path });
  if (!admitRequest(request, response, { path, match })) return undefined;
  if (match.kind === 'endpoint') {
    return handleNode(match.serve, {
      request,
      response,
      context: { params: match.params, address: addressOf(request) },
    });
  }
  const unmatched = isPage ? null : rejectUnmatched({ method, path });
  measureResponse(response, { method, route: unmatched ? 'unmatched' : pageRoute(path) });
  if (unmatched) {
    response.writeHead(unmatched.status, unmatched.headers).end(unmatched.body);
    return undefined;
  }
  const canonicalUrl = canonicalPageUrl(request);
  if (canonicalUrl) {
    response.writeHead(307, { location: canonicalUrl }).end();
    return undefined;
  }
  return servePage(request, response, { pages, path });
}

/**
 * Handles paths that are open to other origins: responds to preflight requests and returns true, or sets the CORS
 * headers of the response to any other request.
 */
function handlePreflight(request: IncomingMessage, response: ServerResponse, path: string): boolean {
  if (!allowsAnyOrigin(path)) return false;
  const { method = 'GET', headers } = request;
  const requestedMethod = headers['access-control-request-method'] ?? null;
  if (isPreflight({ method, origin: headers.origin ?? null, requestedMethod })) {
    response.writeHead(204, preflightHeaders).end();
    return true;
  }
  for (const [name, value] of Object.entries(corsHeaders)) response.setHeader(name, value);
  return false;
}

/** Returns the route label in the metrics of requests that Next serves. */
function pageRoute(path: string): string {
  return path.startsWith('/_next/') ? 'asset' : 'page';
}

async function servePage(
  request: IncomingMessage,
  response: ServerResponse,
  { pages, path }: { pages: PageHandler; path: string },
): Promise<void> {
  await setPageHeaders(request, path);
  // Next trusts this header, which clients can send, so it is replaced with the address that the server determined.
  request.headers['x-forwarded-for'] = addressOf(request);
  return pages(request, response);
}

function addressOf(request: IncomingMessage): string {
  const forwardedFor = request.headers['x-forwarded-for'];
  return clientAddress(request.socket.remoteAddress ?? '', forwardedFor === undefined ? null : String(forwardedFor));
}
