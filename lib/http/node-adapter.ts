import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { HandlerContext, HttpRequest, NodeHandler, StreamHandler } from './handler';
import { respond } from './respond';
import { EventStream } from './sse/event-stream';
import { sendStream } from './sse/send-stream';

/** One handler for both servers: `server.ts` calls it directly, `app/` mounts get a `Response`. */
export function nodeEndpoint(direct: NodeHandler): StreamHandler {
  const handler: StreamHandler = async (request, context) => {
    const result = await direct(request, context);
    return result instanceof EventStream ? result : respond(result.status, result.body, result.headers);
  };
  return Object.assign(handler, { direct });
}

/** Node's request. Members that few endpoints read are created on first access. */
class NodeRequest implements HttpRequest {
  readonly headers: HttpRequest['headers'];
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  #disconnect: AbortController | undefined;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse) {
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.headers = { get: (name) => headerOf(incoming, name) };
  }

  get method(): string {
    return this.#incoming.method ?? 'GET';
  }

  get url(): string {
    return `http://${this.#incoming.headers.host}${this.#incoming.url}`;
  }

  /** Aborted when the client disconnects before the response is written. */
  get signal(): AbortSignal {
    this.#disconnect ??= disconnectController(this.#outgoing);
    return this.#disconnect.signal;
  }

  abort(): void {
    this.#disconnect ??= disconnectController(this.#outgoing);
    this.#disconnect.abort();
  }

  // Stopping halfway does not close the connection: the error response still uses it.
  get body(): AsyncIterable<Uint8Array> | null {
    const { headers } = this.#incoming;
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return null;
    const buffered = readBuffered(this.#incoming);
    if (buffered) return { [Symbol.asyncIterator]: () => Readable.from([buffered]).iterator() };
    return { [Symbol.asyncIterator]: () => this.#incoming.iterator({ destroyOnReturn: false }) };
  }

  async arrayBuffer(): Promise<Uint8Array> {
    // Most bodies arrive with the head: after one microtask they are complete, and no stream events are needed.
    await undefined;
    const incoming = this.#incoming;
    const isBuffered = incoming.readableLength === Number(incoming.headers['content-length']);
    return isBuffered && !incoming.readableEnded ? readRemaining(incoming) : collectBody(incoming);
  }
}

/** A request of Node, for code that needs no body and no signal. */
export function nodeRequest(incoming: IncomingMessage, outgoing: ServerResponse): HttpRequest {
  return new NodeRequest(incoming, outgoing);
}

function collectBody(incoming: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const rejectAborted = (): void => {
      if (!incoming.readableEnded) reject(new Error('aborted'));
    };
    // A client that disconnected before we listened causes no further events.
    if (incoming.destroyed) return rejectAborted();
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    incoming.on('error', reject);
    incoming.on('close', rejectAborted);
  });
}

/** The body of a request whose client disconnected after sending all of it and before it was read. */
function readBuffered(incoming: IncomingMessage): Buffer | null {
  if (!incoming.destroyed || !incoming.complete || incoming.readableEnded) return null;
  return readRemaining(incoming);
}

function readRemaining(incoming: IncomingMessage): Buffer {
  return (incoming.read() as Buffer | null) ?? Buffer.alloc(0);
}

function headerOf({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name];
  return value === undefined ? null : String(value);
}

function disconnectController(outgoing: ServerResponse): AbortController {
  const controller = new AbortController();
  const onClose = (): void => {
    if (!outgoing.writableFinished) controller.abort();
  };
  if (outgoing.destroyed) onClose();
  else outgoing.once('close', onClose);
  return controller;
}

/** Handles a request without creating a `Request` and a `Response`, which cost as much as an introspection. */
export async function handleNode(
  endpoint: NodeHandler,
  { request, response, context }: { request: IncomingMessage; response: ServerResponse; context: HandlerContext },
): Promise<void> {
  const result = await endpoint(new NodeRequest(request, response), context);
  if (result instanceof EventStream) return sendStream(result, response);
  if (response.destroyed) return;
  const { status, headers, body } = result;
  // RFC 9110 §8.6: 204 has no Content-Length.
  if (status !== 204) headers['content-length'] = String(body === null ? 0 : Buffer.byteLength(body));
  response.writeHead(status, headers);
  response.end(body ?? undefined);
}
