import type { Dispatcher } from 'undici';
import { ParleyError } from '../errors';
import { DRAIN_TIMEOUT_MS, MAX_DRAIN_BYTES, MAX_QUEUED_BODY_BYTES } from '../limits';
import type { AbortSignalLike } from '../runtime/abort';
import { isOutOfDescriptors } from './connection-failure';

/** Limits of one response. */
export interface ResponseLimits {
  signal: AbortSignalLike;
  /**
   * Timeout for the part of the response that `waitFor` names, milliseconds; {@link ResponseReader.disableTimeout} ends
   * it earlier.
   */
  waitMs: number;
  waitFor: 'headers' | 'whole';
  /** Maximum size of the body. */
  maxBytes: number;
  /** Called with every chunk of the body. */
  onChunk?: (chunk: Uint8Array) => void;
}

/** Controls the transfer of a response. */
export type ResponseController = Dispatcher.DispatchController;

type RawHeaders = Record<string, string | string[] | undefined>;

/**
 * Reads one response of a dispatcher: headers, then the body as chunks or as a whole. Replaces the dispatcher's
 * streams, which take as long as the rest of the request.
 */
export class ResponseReader implements Dispatcher.DispatchHandler {
  status = 0;
  headers: Record<string, string> = {};
  /** Set when the body has ended. */
  trailers: Record<string, string> = {};
  /** Resolves when status and headers are received; rejects if the request fails before. */
  readonly headersReceived: Promise<ResponseReader>;
  private headersDeferred!: { resolve: (reader: ResponseReader) => void; reject: (error: unknown) => void };
  private controller: Dispatcher.DispatchController | undefined;
  private queue: Buffer[] = [];
  private readIndex = 0;
  private queuedBytes = 0;
  private receivedBytes = 0;
  private maxBytes: number;
  private isAbandoned = false;
  private isBuffering = false;
  private isFinished = false;
  private failure: { error: unknown } | undefined;
  private wake: () => void = () => undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly limits: ResponseLimits) {
    this.maxBytes = limits.maxBytes;
    this.headersReceived = new Promise((resolve, reject) => {
      this.headersDeferred = { resolve, reject };
    });
    const { signal, waitMs } = limits;
    this.timer = setTimeout(this.onTimeout, waitMs);
    if (signal.aborted) this.onAbort();
    else signal.addEventListener('abort', this.onAbort);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.failure) controller.abort(asError(this.failure.error));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, raw: RawHeaders): void {
    if (status < 200) return;
    if (this.limits.waitFor === 'headers') this.disableTimeout();
    this.status = status;
    this.headers = flattenHeaders(raw);
    const problem = validateHeaders(this.headers, this.maxBytes);
    if (problem) this.fail(problem);
    else this.headersDeferred.resolve(this);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.failure) return;
    this.receivedBytes += chunk.byteLength;
    if (!this.isAbandoned) this.limits.onChunk?.(chunk);
    if (this.receivedBytes > this.maxBytes) this.fail(tooLarge(this.maxBytes));
    if (this.failure || this.isAbandoned) return;
    this.queue.push(chunk);
    this.queuedBytes += chunk.byteLength;
    if (this.queuedBytes > MAX_QUEUED_BODY_BYTES && !this.isBuffering) controller.pause();
    this.wake();
  }

  onResponseEnd(_controller: Dispatcher.DispatchController, trailers: RawHeaders): void {
    this.trailers = flattenHeaders(trailers);
    this.close();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.failure ??= { error: mapError(error) };
    this.headersDeferred.reject(this.failure.error);
    this.close();
  }

  /** Removes the limit on the total duration; the timeout between chunks still applies. */
  disableTimeout(): void {
    clearTimeout(this.timer);
  }

  /**
   * Yields the chunks of the body. An early exit from the loop closes the connection unless the rest arrives soon.
   * @throws {ParleyError} `agent_misbehaved` above `maxBytes`; the error that ended the response
   */
  async *chunks(): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        const chunk = this.nextChunk();
        if (chunk) yield chunk;
        else if (this.failure) throw this.failure.error;
        else if (this.isFinished) return;
        else await this.waitForData();
      }
    } finally {
      this.abandon();
    }
  }

  /**
   * Returns the whole body, or a promise of it while the response is incomplete.
   * @throws (synchronously or by rejection) {ParleyError} `agent_misbehaved` above `maxBytes`; the error that ended the
   *   response
   */
  buffer(maxBytes: number): Buffer | Promise<Buffer> {
    this.isBuffering = true;
    this.maxBytes = Math.min(this.maxBytes, maxBytes);
    if (this.receivedBytes > this.maxBytes) this.failure ??= { error: tooLarge(this.maxBytes) };
    if (this.failure) this.fail(this.failure.error);
    return this.isFinished ? this.joinChunks() : this.waitForEnd();
  }

  private async waitForEnd(): Promise<Buffer> {
    this.controller?.resume();
    while (!this.isFinished) await this.waitForData();
    return this.joinChunks();
  }

  private joinChunks(): Buffer {
    if (this.failure) throw this.failure.error;
    const [first] = this.queue;
    return this.queue.length === 1 && first ? first : Buffer.concat(this.queue);
  }

  /**
   * Returns the next chunk; undefined if there is none. Uses an index, because the queue may contain thousands of small
   * chunks.
   */
  private nextChunk(): Buffer | undefined {
    const chunk = this.queue[this.readIndex];
    if (!chunk) return undefined;
    this.readIndex += 1;
    this.queuedBytes -= chunk.byteLength;
    if (this.readIndex === this.queue.length) {
      this.queue = [];
      this.readIndex = 0;
      this.controller?.resume();
    }
    return chunk;
  }

  /** Drains a small remainder after the reader left early, so that the connection can be reused. */
  private abandon(): void {
    this.isAbandoned = true;
    this.discardQueue();
    if (this.isFinished) return;
    this.maxBytes = this.receivedBytes + MAX_DRAIN_BYTES;
    clearTimeout(this.timer);
    this.timer = setTimeout(this.onTimeout, DRAIN_TIMEOUT_MS);
    this.controller?.resume();
  }

  private waitForData(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  private discardQueue(): void {
    this.queue = [];
    this.readIndex = 0;
  }

  private readonly onAbort = (): void => {
    this.discardQueue();
    this.fail(this.limits.signal.reason);
  };

  private readonly onTimeout = (): void => {
    this.discardQueue();
    this.fail(new ParleyError('agent_timeout', 'The agent did not respond in time.'));
  };

  private fail(error: unknown): void {
    if (this.isFinished) return;
    this.failure ??= { error: mapError(error) };
    this.headersDeferred.reject(this.failure.error);
    this.controller?.abort(asError(error));
    this.close();
  }

  private close(): void {
    this.isFinished = true;
    clearTimeout(this.timer);
    this.limits.signal.removeEventListener('abort', this.onAbort);
    this.wake();
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('given up', { cause: error });
}

/** Maps an error to the one that the caller receives. Errors of undici are recognized by name. */
function mapError(error: unknown): unknown {
  const name = error instanceof Error ? error.name : '';
  if (name === 'AbortError' || error instanceof ParleyError) return error;
  if (name === 'BodyTimeoutError') {
    return new ParleyError('agent_timeout', 'The agent did not respond in time.', { cause: error });
  }
  if (isOutOfDescriptors(error)) {
    const text = 'This server cannot open more connections right now. Try again in a moment.';
    return new ParleyError('unavailable', text, { retryAfter: 1, cause: error });
  }
  // Uses one message for refused, filtered, closed and broken connections, so that Parley cannot be used to scan a
  // network.
  return new ParleyError('agent_unreachable', 'The agent could not be reached.', { cause: error });
}

function validateHeaders(headers: Record<string, string>, maxBytes: number): ParleyError | null {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    return new ParleyError(
      'agent_misbehaved',
      'The agent compressed its response although the request did not allow it.',
    );
  }
  return Number(headers['content-length'] ?? 0) > maxBytes ? tooLarge(maxBytes) : null;
}

function tooLarge(maxBytes: number): ParleyError {
  return new ParleyError('agent_misbehaved', `The response is larger than ${maxBytes} bytes.`);
}

function flattenHeaders(headers: RawHeaders): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
}
