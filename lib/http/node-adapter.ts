import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { EndpointContext, NodeEndpoint, StreamEndpoint } from './endpoint';
import type { HttpRequest } from './http-message';
import { respond } from './respond';
import { EventStream } from './sse/event-stream';
import { sendStream } from './sse/send-stream';

/** One function for both mounts: `server.ts` calls it as it is, a mount under `app/` gets its answer as a `Response`. */
export function nodeEndpoint(direct: NodeEndpoint): StreamEndpoint {
  const answer: StreamEndpoint = async (request, context) => {
    const result = await direct(request, context);
    return result instanceof EventStream ? result : respond(result.status, result.body, result.headers);
  };
  return Object.assign(answer, { direct });
}

/** A request as Node read it. What most endpoints never ask for is made when it is asked for. */
class NodeRequest implements HttpRequest {
  readonly headers: HttpRequest['headers'];
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  #leaving: AbortController | undefined;

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

  /** Aborted when the caller leaves before the answer is written. */
  get signal(): AbortSignal {
    this.#leaving ??= disconnectController(this.#outgoing);
    return this.#leaving.signal;
  }

  abort(): void {
    this.#leaving ??= disconnectController(this.#outgoing);
    this.#leaving.abort();
  }

  // A reader who stops half-way closes nothing: the answer that says why still goes over this connection.
  get body(): AsyncIterable<Uint8Array> | null {
    const { headers } = this.#incoming;
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return null;
    const buffered = readBuffered(this.#incoming);
    if (buffered) return { [Symbol.asyncIterator]: () => Readable.from([buffered]).iterator() };
    return { [Symbol.asyncIterator]: () => this.#incoming.iterator({ destroyOnReturn: false }) };
  }

  async arrayBuffer(): Promise<Uint8Array> {
    // What comes with the head, as nearly every body does, is all there in a moment: nobody has to be told of it piece by piece.
    await undefined;
    const incoming = this.#incoming;
    const isBuffered = incoming.readableLength === Number(incoming.headers['content-length']);
    return isBuffered && !incoming.readableEnded ? readRemaining(incoming) : collectBody(incoming);
  }
}

function collectBody(incoming: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const rejectAborted = (): void => {
      if (!incoming.readableEnded) reject(new Error('aborted'));
    };
    // Who left before anybody listened is not told of again.
    if (incoming.destroyed) return rejectAborted();
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    incoming.on('error', reject);
    incoming.on('close', rejectAborted);
  });
}

/** The whole body of a request whose sender left when all of it was there, and before anybody read it. */
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

/** Answers a request without making a `Request` and a `Response` of it, which costs as much as an introspection. */
export async function handleNode(
  endpoint: NodeEndpoint,
  { request, response, context }: { request: IncomingMessage; response: ServerResponse; context: EndpointContext },
): Promise<void> {
  const answer = await endpoint(new NodeRequest(request, response), context);
  if (answer instanceof EventStream) return sendStream(answer, response);
  if (response.destroyed) return;
  const { status, headers, body } = answer;
  // RFC 9110 §8.6: an answer without content has no length.
  if (status !== 204) headers['content-length'] = String(body === null ? 0 : Buffer.byteLength(body));
  response.writeHead(status, headers);
  response.end(body ?? undefined);
}
