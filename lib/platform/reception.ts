import type { Dispatcher } from 'undici';
import type { StopSignal } from './abort';
import { asParleyError, ParleyError } from './errors';

/** What an answer may take and hold. */
export interface ReceptionLimits {
  signal: StopSignal;
  /** Longest wait, milliseconds: for the headers, or for the whole answer unless {@link Reception.relax} is called. */
  waitMs: number;
  waitFor: 'headers' | 'whole';
  /** Most bytes of body that are taken. */
  maxBytes: number;
  /** Sees every piece of the body as it comes. */
  onChunk?: (chunk: Uint8Array) => void;
}

type RawHeaders = Record<string, string | string[] | undefined>;

/** Bytes that wait for a reader before the sender has to. */
const mostQueued = 65_536;
/** How much more is let in after the reader has left, bytes, and for how long, milliseconds. */
const leftOverBytes = 65_536;
const leftOverMs = 500;

/**
 * Receives one answer of a dispatcher: its head, then its body piece by piece or as a whole. In place of the dispatcher's own
 * streams, which cost as much as the rest of the exchange.
 */
export class Reception implements Dispatcher.DispatchHandler {
  status = 0;
  headers: Record<string, string> = {};
  /** Resolves when status and headers are there; rejects with what failed before. */
  readonly begun: Promise<Reception>;
  private begin!: { resolve: (reception: Reception) => void; reject: (error: unknown) => void };
  private controller: Dispatcher.DispatchController | undefined;
  private queue: Buffer[] = [];
  private read = 0;
  private queued = 0;
  private taken = 0;
  private most: number;
  private hasLeft = false;
  private wantsAll = false;
  private isOver = false;
  private failure: { error: unknown } | undefined;
  private wake: () => void = () => undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly limits: ReceptionLimits) {
    this.most = limits.maxBytes;
    this.begun = new Promise((resolve, reject) => {
      this.begin = { resolve, reject };
    });
    const { signal, waitMs } = limits;
    this.timer = setTimeout(this.giveUp, waitMs);
    if (signal.aborted) this.stop();
    else signal.addEventListener('abort', this.stop);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.failure) controller.abort(asError(this.failure.error));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, raw: RawHeaders): void {
    if (status < 200) return;
    if (this.limits.waitFor === 'headers') this.relax();
    this.status = status;
    this.headers = flatten(raw);
    const fault = faultOf(this.headers, this.most);
    if (fault) this.fail(fault);
    else this.begin.resolve(this);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.failure) return;
    this.taken += chunk.byteLength;
    if (!this.hasLeft) this.limits.onChunk?.(chunk);
    if (this.taken > this.most) this.fail(tooLarge(this.most));
    if (this.failure || this.hasLeft) return;
    this.queue.push(chunk);
    this.queued += chunk.byteLength;
    if (this.queued > mostQueued && !this.wantsAll) controller.pause();
    this.wake();
  }

  onResponseEnd(): void {
    this.close();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.failure ??= { error: mapFailure(error) };
    this.begin.reject(this.failure.error);
    this.close();
  }

  /** The answer may take as long as it likes from now on; silence within it still ends it. */
  relax(): void {
    clearTimeout(this.timer);
  }

  /**
   * The pieces of the body as they come. Leaving the loop early closes the connection, unless the rest comes soon.
   * @throws {ParleyError} `agent_misbehaved` past the most bytes; what broke the answer off
   */
  async *pieces(): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        const piece = this.takeNext();
        if (piece) yield piece;
        else if (this.failure) throw this.failure.error;
        else if (this.isOver) return;
        else await this.more();
      }
    } finally {
      this.leave();
    }
  }

  /**
   * The whole body; a promise when there is more to come.
   * @throws (in either way) {ParleyError} `agent_misbehaved` when it is larger than `maxBytes`; what broke the answer off
   */
  whole(maxBytes: number): Buffer | Promise<Buffer> {
    this.wantsAll = true;
    this.most = Math.min(this.most, maxBytes);
    if (this.taken > this.most) this.failure ??= { error: tooLarge(this.most) };
    if (this.failure) this.fail(this.failure.error);
    return this.isOver ? this.joined() : this.untilOver();
  }

  private async untilOver(): Promise<Buffer> {
    this.controller?.resume();
    while (!this.isOver) await this.more();
    return this.joined();
  }

  private joined(): Buffer {
    if (this.failure) throw this.failure.error;
    const [first] = this.queue;
    return this.queue.length === 1 && first ? first : Buffer.concat(this.queue);
  }

  /** By an index: the queue may hold thousands of small pieces. */
  private takeNext(): Buffer | undefined {
    const piece = this.queue[this.read];
    if (!piece) return undefined;
    this.read += 1;
    this.queued -= piece.byteLength;
    if (this.read === this.queue.length) {
      this.queue = [];
      this.read = 0;
      this.controller?.resume();
    }
    return piece;
  }

  /** Who leaves early has heard the end: what little is left is let in, so that the connection serves the next call. */
  private leave(): void {
    this.hasLeft = true;
    this.forget();
    if (this.isOver) return;
    this.most = this.taken + leftOverBytes;
    clearTimeout(this.timer);
    this.timer = setTimeout(this.giveUp, leftOverMs);
    this.controller?.resume();
  }

  private more(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  private forget(): void {
    this.queue = [];
    this.read = 0;
  }

  private readonly stop = (): void => {
    this.forget();
    this.fail(this.limits.signal.reason);
  };

  private readonly giveUp = (): void => {
    this.forget();
    this.fail(new ParleyError('agent_timeout', 'The agent did not answer in time.'));
  };

  private fail(error: unknown): void {
    if (this.isOver) return;
    this.failure ??= { error: mapFailure(error) };
    this.begin.reject(this.failure.error);
    this.controller?.abort(asError(error));
    this.close();
  }

  private close(): void {
    this.isOver = true;
    clearTimeout(this.timer);
    this.limits.signal.removeEventListener('abort', this.stop);
    this.wake();
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('given up', { cause: error });
}

/** Errors are told by name: the dispatcher, and with it its guard, may come from the other bundle. */
function mapFailure(error: unknown): unknown {
  const name = error instanceof Error ? error.name : '';
  if (name === 'AbortError' || asParleyError(error)) return error;
  if (name === 'BodyTimeoutError') {
    return new ParleyError('agent_timeout', 'The agent did not answer in time.', { cause: error });
  }
  // One text for refused, filtered, closed and broken, so that nobody can map a network through us (SSRF-5).
  return new ParleyError('agent_unreachable', 'The agent could not be reached.', { cause: error });
}

function faultOf(headers: Record<string, string>, maxBytes: number): ParleyError | null {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    return new ParleyError('agent_misbehaved', 'The agent compressed its answer although identity was asked for.');
  }
  return Number(headers['content-length'] ?? 0) > maxBytes ? tooLarge(maxBytes) : null;
}

function tooLarge(maxBytes: number): ParleyError {
  return new ParleyError('agent_misbehaved', `The answer is larger than ${maxBytes} bytes.`);
}

function flatten(headers: RawHeaders): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
}
