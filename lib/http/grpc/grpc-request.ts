import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { ParleyError } from '../../platform/errors';
import { FrameReader, FrameTooLargeError } from '../../platform/grpc/frames';
import { env } from '../../platform/runtime/env';
import type { HttpRequest } from '../handler';
import { MAX_BODY_BYTES } from '../limits';
import { isCanceled } from './session-guard';

/**
 * A gRPC call as the request that handlers read: metadata are its headers, and the chunks of its body are
 * messages.
 */
export class GrpcRequest implements HttpRequest {
  readonly method = 'POST';
  readonly headers: HttpRequest['headers'];
  readonly #stream: ServerHttp2Stream;
  readonly #path: string;
  #controller: AbortController | undefined;

  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders & { ':path'?: string }) {
    this.#stream = stream;
    this.#path = headers[':path'] ?? '/';
    this.headers = {
      get(name) {
        const value = headers[name];
        return value === undefined ? null : String(value);
      },
    };
  }

  get url(): string {
    return env().APP_URL + this.#path;
  }

  /** Aborted when the client cancels the call, its deadline expires, or the connection closes before the response. */
  get signal(): AbortSignal {
    return this.#abortController().signal;
  }

  abort(): void {
    this.#abortController().abort();
  }

  #abortController(): AbortController {
    if (this.#controller) return this.#controller;
    const controller = new AbortController();
    this.#controller = controller;
    const onClose = (): void => {
      if (!this.#stream.headersSent || isCanceled(this.#stream)) controller.abort();
    };
    if (this.#stream.closed || this.#stream.destroyed) onClose();
    else this.#stream.once('close', onClose);
    return controller;
  }

  /**
   * The messages of the client.
   * @throws {ParleyError} `payload_too_large`, before all of the message has arrived; `invalid_request` for an
   *   incomplete or a compressed one
   */
  get body(): AsyncGenerator<Buffer> {
    return readMessages(this.#stream);
  }

  /**
   * Returns the only message. Not read from {@link body}, whose iteration takes longer than the rest of the request.
   * @throws the errors of {@link body}; {ParleyError} `invalid_request` for no message, and for several
   */
  arrayBuffer(): Promise<Buffer> {
    const stream = this.#stream;
    return new Promise((resolve, reject) => {
      const frames = new FrameReader(MAX_BODY_BYTES);
      let message: Buffer | null = null;
      const finish = (error: unknown): void => {
        stream.off('data', onData).off('end', onEnd).off('close', onEnd);
        if (message && error === null) {
          resolve(message);
        } else {
          stream.pause();
          reject(error ?? invalid('Expected a message, found none.'));
        }
      };
      const onData = (chunk: Buffer): void => {
        frames.push(chunk);
        try {
          message ??= nextFrame(frames);
          if (message && frames.isPartial) finish(invalid('Expected one message, found more data.'));
        } catch (error) {
          finish(error);
        }
      };
      const onEnd = (): void => finish(frames.isPartial ? incomplete() : null);
      stream.on('data', onData).on('end', onEnd).on('close', onEnd);
      if (stream.destroyed) finish(incomplete());
    });
  }
}

async function* readMessages(stream: ServerHttp2Stream): AsyncGenerator<Buffer> {
  const frames = new FrameReader(MAX_BODY_BYTES);
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    frames.push(chunk);
    for (let message = nextFrame(frames); message; message = nextFrame(frames)) yield message;
  }
  if (frames.isPartial) throw incomplete();
}

function nextFrame(frames: FrameReader): Buffer | null {
  try {
    return frames.next();
  } catch (error) {
    if (!(error instanceof FrameTooLargeError)) throw error;
    const text = `The message has ${error.size} bytes; at most ${MAX_BODY_BYTES} are accepted.`;
    throw new ParleyError('payload_too_large', text, { data: { limit: MAX_BODY_BYTES } });
  }
}

function incomplete(): ParleyError {
  return invalid('The message is incomplete.');
}

function invalid(text: string): ParleyError {
  return new ParleyError('invalid_request', text);
}
