import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { newId } from '../platform/ids';
import { errorFields, log } from '../platform/runtime/log';
import { problemOf } from './errors/render-error';
import type { Handler, HandlerContext, HttpRequest, HttpResponse } from './handler';
import { EventStream, sendStream } from './sse';

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

  // An early exit does not close the connection, because the error response still uses it.
  get body(): AsyncIterable<Uint8Array> | null {
    const { headers } = this.#incoming;
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return null;
    const buffered = readBuffered(this.#incoming);
    if (buffered) return { [Symbol.asyncIterator]: () => Readable.from([buffered]).iterator() };
    return { [Symbol.asyncIterator]: () => this.#incoming.iterator({ destroyOnReturn: false }) };
  }

  async arrayBuffer(): Promise<Uint8Array> {
    // Most bodies arrive together with the head. After one microtask they are complete, and no stream events are
    // needed.
    await undefined;
    const incoming = this.#incoming;
    const isBuffered = incoming.readableLength === Number(incoming.headers['content-length']);
    return isBuffered && !incoming.readableEnded ? readRemaining(incoming) : collectBody(incoming);
  }
}

/** Returns a request of Node in our format, for code that needs neither the body nor the signal. */
export function nodeRequest(incoming: IncomingMessage, outgoing: ServerResponse): HttpRequest {
  return new NodeRequest(incoming, outgoing);
}

function collectBody(incoming: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const rejectAborted = (): void => {
      if (!incoming.readableEnded) reject(new Error('aborted'));
    };
    // A client that disconnected before the listeners were added emits no further events.
    if (incoming.destroyed) return rejectAborted();
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    incoming.on('error', reject);
    incoming.on('close', rejectAborted);
  });
}

/** Returns the body of a request whose client disconnected after sending all of it and before it was read. */
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

/**
 * Handles a request and writes the response. If the handler throws, responds with a problem, with the status 500 unless
 * the error is intended for callers. After the head of a response is sent, a failure closes the connection.
 */
export async function handleNode(
  handler: Handler,
  { request, response, context }: { request: IncomingMessage; response: ServerResponse; context: HandlerContext },
): Promise<void> {
  try {
    const result = await handler(new NodeRequest(request, response), context);
    await (result instanceof EventStream ? sendStream(result, response) : sendResponse(result, response));
  } catch (error) {
    if (!response.headersSent) return sendResponse(problemOf(error, newId('req')), response);
    if (!response.destroyed) log.error('response.failed', errorFields(error));
    response.destroy();
  }
}

async function sendResponse({ status, headers, body }: HttpResponse, response: ServerResponse): Promise<void> {
  if (body !== null && typeof body === 'object' && Symbol.asyncIterator in body) {
    return sendChunks({ status, headers, body }, response);
  }
  if (response.destroyed) return;
  // RFC 9110 §8.6: a 204 has no Content-Length, and that of a 304 would be the length of the body that the client has.
  if (status !== 204 && status !== 304)
    response.setHeader('content-length', body === null ? 0 : Buffer.byteLength(body));
  writeHead(response, status, headers);
  response.end(body ?? undefined);
}

/**
 * Writes chunks as the client reads them. The head is sent together with the first chunk, so that an error before it
 * can still be rendered. Produces no chunk after the client disconnects.
 */
async function sendChunks(
  { status, headers, body }: HttpResponse<AsyncGenerator<string>>,
  response: ServerResponse,
): Promise<void> {
  if (response.destroyed || response.req.method === 'HEAD') await body.return(undefined);
  for await (const chunk of body) {
    if (response.destroyed) return;
    if (!response.headersSent) writeHead(response, status, headers);
    if (!response.write(chunk)) await drained(response);
  }
  if (response.destroyed) return;
  if (!response.headersSent) writeHead(response, status, headers);
  response.end();
}

/** Writes the head. If that fails because of an invalid header, the error response contains none of these headers. */
function writeHead(response: ServerResponse, status: number, headers: HttpResponse['headers']): void {
  try {
    response.writeHead(status, headers);
  } catch (error) {
    for (const name of Object.keys(headers)) response.removeHeader(name);
    response.statusMessage = '';
    throw error;
  }
}

/** Resolves when the connection accepts more data or is closed. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      response.off('drain', finish).off('close', finish);
      resolve();
    };
    response.on('drain', finish).on('close', finish);
  });
}
