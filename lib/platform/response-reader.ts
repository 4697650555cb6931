import type { Dispatcher } from 'undici';
import type { AbortSignalLike } from './abort';
import { asParleyError, ParleyError } from './errors';

/** What an answer may take and hold. */
export interface ResponseLimits {
  signal: AbortSignalLike;
  /** Longest wait, milliseconds: for the headers, or for the whole answer unless {@link ResponseReader.disableTimeout} is called. */
  waitMs: number;
  waitFor: 'headers' | 'whole';
  /** Most bytes of body that are taken. */
  maxBytes: number;
  /** Sees every piece of the body as it comes. */
  onChunk?: (chunk: Uint8Array) => void;
}

type RawHeaders = Record<string, string | string[] | undefined>;

/** Bytes that wait for a reader before the sender has to. */
const maxQueuedBytes = 65_536;
/** How much more is let in after the reader has left, bytes, and for how long, milliseconds. */
const maxDrainBytes = 65_536;
const drainTimeoutMs = 500;

/**
 * Receives one answer of a dispatcher: its head, then its body piece by piece or as a whole. In place of the dispatcher's own
 * streams, which cost as much as the rest of the exchange.
 */
export class ResponseReader implements Dispatcher.DispatchHandler {
  status = 0;
  headers: Record<string, string> = {};
  /** Resolves when status and headers are there; rejects with what failed before. */
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
    const fault = validateHeaders(this.headers, this.maxBytes);
    if (fault) this.fail(fault);
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
    if (this.queuedBytes > maxQueuedBytes && !this.isBuffering) controller.pause();
    this.wake();
  }

  onResponseEnd(): void {
    this.close();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.failure ??= { error: mapError(error) };
    this.headersDeferred.reject(this.failure.error);
    this.close();
  }

  /** The answer may take as long as it likes from now on; silence within it still ends it. */
  disableTimeout(): void {
    clearTimeout(this.timer);
  }

  /**
   * The pieces of the body as they come. Leaving the loop early closes the connection, unless the rest comes soon.
   * @throws {ParleyError} `agent_misbehaved` past the most bytes; what broke the answer off
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
   * The whole body; a promise when there is more to come.
   * @throws (in either way) {ParleyError} `agent_misbehaved` when it is larger than `maxBytes`; what broke the answer off
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

  /** By an index: the queue may hold thousands of small pieces. */
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

  /** Who leaves early has heard the end: what little is left is let in, so that the connection serves the next call. */
  private abandon(): void {
    this.isAbandoned = true;
    this.discardQueue();
    if (this.isFinished) return;
    this.maxBytes = this.receivedBytes + maxDrainBytes;
    clearTimeout(this.timer);
    this.timer = setTimeout(this.onTimeout, drainTimeoutMs);
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
    this.fail(new ParleyError('agent_timeout', 'The agent did not answer in time.'));
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

/** Errors are told by name: the dispatcher, and with it its guard, may come from the other bundle. */
function mapError(error: unknown): unknown {
  const name = error instanceof Error ? error.name : '';
  if (name === 'AbortError' || asParleyError(error)) return error;
  if (name === 'BodyTimeoutError') {
    return new ParleyError('agent_timeout', 'The agent did not answer in time.', { cause: error });
  }
  // One text for refused, filtered, closed and broken, so that nobody can map a network through us (SSRF-5).
  return new ParleyError('agent_unreachable', 'The agent could not be reached.', { cause: error });
}

function validateHeaders(headers: Record<string, string>, maxBytes: number): ParleyError | null {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    return new ParleyError('agent_misbehaved', 'The agent compressed its answer although identity was asked for.');
  }
  return Number(headers['content-length'] ?? 0) > maxBytes ? tooLarge(maxBytes) : null;
}

function tooLarge(maxBytes: number): ParleyError {
  return new ParleyError('agent_misbehaved', `The answer is larger than ${maxBytes} bytes.`);
}

function flattenHeaders(headers: RawHeaders): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
}
