import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2';
import { HTTP2_CANCEL, http2SessionTo, isRefusedStream } from './http2-sessions';
import { type ResponseController, ResponseReader } from './response-reader';
import { type ExternalRequest, markUnsent } from './safe-fetch';

/**
 * Posts to an untrusted URL over HTTP/2, under the rules and limits of `fetchExternal`. The response has trailers, which
 * may be the headers if it has no body. Resolves when status and headers are received.
 * @throws {ParleyError} `url_refused`, `agent_unreachable`, `agent_timeout`
 */
export function fetchHttp2(input: Omit<ExternalRequest, 'method'>): Promise<ResponseReader> {
  const reader = new ResponseReader(input);
  const exchange = new Http2Exchange(input, reader);
  reader.onRequestStart(exchange);
  exchange.start().catch((error) => reader.onResponseError(exchange, asError(error)));
  return reader.headersReceived;
}

/** One request, which passes the events of its stream to the reader. */
class Http2Exchange implements ResponseController {
  aborted = false;
  paused = false;
  reason: Error | null = null;
  private stream: ClientHttp2Stream | undefined;

  constructor(
    private readonly request: Omit<ExternalRequest, 'method'>,
    private readonly reader: ResponseReader,
  ) {}

  async start(): Promise<void> {
    const session = await http2SessionTo(this.request.url);
    if (!this.aborted) this.send(session);
  }

  abort(reason: Error): void {
    this.aborted = true;
    this.reason = reason;
    this.stream?.close(HTTP2_CANCEL);
    // Unread data would keep the stream open.
    this.stream?.resume();
  }

  pause(): void {
    this.paused = true;
    this.stream?.pause();
  }

  resume(): void {
    this.paused = false;
    this.stream?.resume();
  }

  private send(session: ClientHttp2Session): void {
    const { url, headers, body, silenceTimeoutMs } = this.request;
    const { pathname, search } = new URL(url);
    const stream = openStream(session, {
      ':method': 'POST',
      ':path': pathname + search,
      ...headers,
      'user-agent': 'Parley',
      via: '2.0 parley',
    });
    this.stream = stream;
    let trailers: IncomingHttpHeaders = {};
    stream.on('response', (head) => {
      const { ':status': status = 0, ...received } = head;
      trailers = received;
      this.reader.onResponseStart(this, status, received);
      stream.setTimeout(silenceTimeoutMs, () => stream.destroy(silent()));
    });
    stream.on('trailers', (received) => {
      trailers = received;
    });
    stream.on('data', (chunk: Buffer) => this.reader.onResponseData(this, chunk));
    stream.on('error', (error: Error) => this.fail(error));
    stream.on('close', () => {
      if (stream.rstCode === 0 && stream.readableEnded) this.reader.onResponseEnd(this, trailers);
      else this.fail(new Error('The stream was closed.'));
    });
    stream.end(body);
  }

  private fail(error: Error): void {
    this.reader.onResponseError(this, isRefusedStream(this.stream?.rstCode) ? markUnsent(error) : error);
  }
}

function openStream(session: ClientHttp2Session, headers: OutgoingHttpHeaders): ClientHttp2Stream {
  try {
    return session.request(headers);
  } catch (error) {
    // The connection was closed after it was taken from the pool.
    throw markUnsent(asError(error));
  }
}

/** The error of undici for the same timeout, which the reader recognizes by its name. */
function silent(): Error {
  return Object.assign(new Error('No data arrived.'), { name: 'BodyTimeoutError' });
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('The request failed.', { cause: error });
}
