import {
  createSecureServer,
  createServer,
  type Http2Server,
  type Http2Session,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Socket } from 'node:net';
import { parseTimeout } from '../../platform/grpc/status';
import { clientAddress } from '../../platform/http-client/client-address';
import { errorFields, log } from '../../platform/runtime/log';
import { admit, type Priority } from '../admission/admission';
import { overloadError } from '../admission/reject';
import { countRequests, limitWaitingConnections } from '../guard/connections';
import type { Handler } from '../handler';
import {
  FINAL_DRAIN_MS,
  GRPC_MAX_INVALID_FRAMES,
  GRPC_MAX_METADATA_BYTES,
  GRPC_MAX_METADATA_ENTRIES,
  GRPC_MAX_SERVICE_STREAMS,
  GRPC_MAX_SESSION_MEGABYTES,
  GRPC_MAX_STREAMS,
  REQUEST_TIMEOUT_MS,
} from '../limits';
import { EventStream } from '../sse';
import { GrpcRequest } from './grpc-request';
import { GrpcResponse } from './grpc-response';
import { SessionGuard } from './session-guard';

/** A method that the server serves. */
export interface GrpcMethod {
  serve: Handler;
  priority: Priority;
}

/** The methods by path, `/package.Service/Method`. */
export type GrpcMethods = ReadonlyMap<string, GrpcMethod>;

export interface GrpcServer {
  server: Http2Server;
  /** Stops accepting connections and calls, and waits for open calls. Long streams must be ended before. */
  drain: (withinMs: number) => Promise<void>;
}

const sessionOptions = {
  settings: { enablePush: false, maxConcurrentStreams: GRPC_MAX_STREAMS, maxHeaderListSize: GRPC_MAX_METADATA_BYTES },
  maxHeaderListPairs: GRPC_MAX_METADATA_ENTRIES,
  maxSessionMemory: GRPC_MAX_SESSION_MEGABYTES,
  maxSessionInvalidFrames: GRPC_MAX_INVALID_FRAMES,
  maxSessionRejectedStreams: GRPC_MAX_INVALID_FRAMES,
};

/**
 * Creates a server for gRPC over HTTP/2 (docs/decisions/0052): with TLS if there is a certificate, otherwise without
 * (h2c with prior knowledge).
 */
export function createGrpcServer(methods: GrpcMethods, tls?: { cert: Buffer; key: Buffer }): GrpcServer {
  const server = tls
    ? createSecureServer({ ...sessionOptions, ...tls, allowHTTP1: false })
    : createServer(sessionOptions);
  const guard = new SessionGuard();
  const calls = countRequests();
  limitSilentConnections(server);
  server.on('session', (session: ServerHttp2Session) => guard.add(session));
  server.on('stream', (...[stream, headers, , rawHeaders]: StreamEvent) => {
    stream.on('error', () => undefined);
    const { session } = stream;
    if (!session || !guard.begin(session as ServerHttp2Session, stream)) return;
    calls.begin();
    stream.once('close', calls.end);
    if (hasRepeated(rawHeaders, 'authorization')) rejectAuthorization(stream);
    else serveStream(methods, stream, headers);
  });
  return {
    server,
    async drain(withinMs) {
      server.close();
      guard.closeAll();
      await calls.drained(withinMs);
      await calls.drained(FINAL_DRAIN_MS);
      guard.destroyAll();
    },
  };
}

/** Limits the connections of one address without a call. A session has a proxy of its socket, or the TLS socket. */
function limitSilentConnections(server: Http2Server): void {
  const release = limitWaitingConnections(server);
  const sockets = new Map<string, Socket>();
  const keyOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
  server.on('connection', (socket: Socket) => {
    const key = keyOf(socket);
    sockets.set(key, socket);
    socket.once('close', () => sockets.delete(key));
  });
  server.on('session', (session: ServerHttp2Session) => {
    session.once('stream', () => {
      const socket = sockets.get(keyOf(session.socket as Socket));
      if (socket) release(socket);
    });
  });
}

type StreamEvent = [stream: ServerHttp2Stream, headers: IncomingHttpHeaders, flags: number, rawHeaders: string[]];

/** Returns true if metadata contain a name twice, of which Node would use only the first value. */
function hasRepeated(rawHeaders: string[], name: string): boolean {
  let found = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) if (rawHeaders[index] === name) found++;
  return found > 1;
}

function rejectAuthorization(stream: ServerHttp2Stream): void {
  const message = 'Expected the metadata authorization at most once.';
  new GrpcResponse(stream).fail({ name: 'INVALID_ARGUMENT', message, details: [] });
}

function serveStream(methods: GrpcMethods, stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
  const response = new GrpcResponse(stream);
  if (
    headers[':method'] !== 'POST' ||
    !/^application\/grpc(?:\+proto)?\s*(?:;|$)/.test(headers['content-type'] ?? '')
  ) {
    stream.respond({ ':status': 415, accept: 'application/grpc' }, { endStream: true });
    return;
  }
  if ((headers['grpc-encoding'] ?? 'identity') !== 'identity') {
    const message = 'Compressed messages are not accepted.';
    response.fail({ name: 'UNIMPLEMENTED', message, details: [] }, { 'grpc-accept-encoding': 'identity' });
    return;
  }
  const path = headers[':path'] ?? '/';
  const method = methods.get(path);
  if (!method) {
    response.fail({ name: 'UNIMPLEMENTED', message: `Unknown method ${path.slice(0, 200)}.`, details: [] });
    return;
  }
  const request = new GrpcRequest(stream, headers);
  const deadlineMs = headers['grpc-timeout'] === undefined ? undefined : parseTimeout(String(headers['grpc-timeout']));
  if (deadlineMs === null) {
    response.fail({ name: 'INVALID_ARGUMENT', message: 'The metadata grpc-timeout is malformed.', details: [] });
    return;
  }
  if (method.priority !== 'calls' && !openServiceStream(stream)) {
    const message = `Expected at most ${GRPC_MAX_SERVICE_STREAMS} open calls of health and reflection per connection.`;
    response.fail({ name: 'RESOURCE_EXHAUSTED', message, details: [] });
    return;
  }
  const finish = admit(method.priority);
  if (!finish) {
    response.end(renderOverload(method.serve, request));
    return;
  }
  stream.once('close', finish);
  limitTime(stream, { request, response, deadlineMs });
  const forwardedFor = headers['x-forwarded-for'];
  const socketAddress = stream.session?.socket.remoteAddress ?? '';
  const address = clientAddress(socketAddress, forwardedFor === undefined ? null : String(forwardedFor));
  run(method.serve, { request, response, address }).catch((error) => log.error('grpc.failed', errorFields(error)));
}

/** The open streams of each connection for methods without a token. */
const serviceStreams = new WeakMap<Http2Session, number>();

/** Counts a stream until it closes. False if the connection has the maximum. */
function openServiceStream(stream: ServerHttp2Stream): boolean {
  const { session } = stream;
  const open = session ? (serviceStreams.get(session) ?? 0) : GRPC_MAX_SERVICE_STREAMS;
  if (!session || open >= GRPC_MAX_SERVICE_STREAMS) return false;
  serviceStreams.set(session, open + 1);
  stream.once('close', () => serviceStreams.set(session, (serviceStreams.get(session) ?? 1) - 1));
  return true;
}

function renderOverload(serve: Handler, request: GrpcRequest): Record<string, string | string[]> {
  const rejection = serve.renderRejection?.(request, overloadError());
  return rejection?.headers ?? { 'grpc-status': '14' };
}

interface Served {
  request: GrpcRequest;
  response: GrpcResponse;
}

/** Ends a call at its deadline, and one whose messages take longer than a request may. */
function limitTime(
  stream: ServerHttp2Stream,
  { request, response, deadlineMs }: Served & { deadlineMs: number | undefined },
): void {
  const expire = (message: string): void => {
    response.fail({ name: 'DEADLINE_EXCEEDED', message, details: [] });
    request.abort();
  };
  const limitMs = Math.min(deadlineMs ?? REQUEST_TIMEOUT_MS, REQUEST_TIMEOUT_MS);
  let timer = setTimeout(() => {
    const isDeadline = deadlineMs !== undefined && deadlineMs <= REQUEST_TIMEOUT_MS;
    if (isDeadline) expire(DEADLINE_TEXT);
    else if (!stream.readableEnded) expire(`The message did not arrive within ${REQUEST_TIMEOUT_MS} ms.`);
    else if (deadlineMs !== undefined)
      timer = setTimeout(() => expire(DEADLINE_TEXT), Math.min(deadlineMs - limitMs, MAX_TIMER_MS));
  }, limitMs);
  stream.once('close', () => clearTimeout(timer));
}

const DEADLINE_TEXT = 'The deadline of the call has expired. The task, if any, continues.';
/** The longest time that Node's timers have: 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

async function run(serve: Handler, { request, response, address }: Served & { address: string }): Promise<void> {
  try {
    const result = await serve(request, { params: {}, address });
    if (result instanceof EventStream) {
      await response.sendStream(result, (error) => describeFailure(serve, request, error));
    } else if (result.headers['grpc-status'] !== undefined) {
      response.end(result.headers);
    } else {
      response.sendMessage(result.headers, result.body as Uint8Array);
    }
  } catch (error) {
    log.error('grpc.failed', errorFields(error));
    response.fail({ name: 'INTERNAL', message: 'Something went wrong on our side.', details: [] });
  }
}

/** Returns the trailers of a stream that failed after its first event. */
function describeFailure(serve: Handler, request: GrpcRequest, error: unknown): Record<string, string | string[]> {
  const rejection = serve.renderRejection?.(request, error as never);
  return rejection?.headers ?? { 'grpc-status': '13' };
}
