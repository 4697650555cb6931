import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DirectEndpoint, EndpointContext } from './endpoint';
import type { PlainRequest } from './plain';

/** A request as Node read it. What most endpoints never ask for is made when it is asked for. */
class DirectRequest implements PlainRequest {
  readonly headers: PlainRequest['headers'];
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  #signal: AbortSignal | undefined;

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
    this.#signal ??= signalOf(this.#outgoing);
    return this.#signal;
  }

  // A reader who stops half-way closes nothing: the answer that says why still goes over this connection.
  get body(): AsyncIterable<Uint8Array> {
    return { [Symbol.asyncIterator]: () => this.#incoming.iterator({ destroyOnReturn: false }) };
  }

  arrayBuffer(): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      this.#incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      this.#incoming.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
      this.#incoming.on('error', reject);
    });
  }
}

function headerOf({ headers }: IncomingMessage, name: string): string | null {
  const value = headers[name];
  return value === undefined ? null : String(value);
}

function signalOf(outgoing: ServerResponse): AbortSignal {
  const controller = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** Answers a request without making a `Request` and a `Response` of it, which costs as much as an introspection. */
export async function answerDirectly(
  endpoint: DirectEndpoint,
  { request, response, context }: { request: IncomingMessage; response: ServerResponse; context: EndpointContext },
): Promise<void> {
  const { status, headers, body } = await endpoint(new DirectRequest(request, response), context);
  if (response.destroyed) return;
  response.writeHead(status, { ...headers, 'content-length': body === null ? 0 : Buffer.byteLength(body) });
  response.end(body ?? undefined);
}
