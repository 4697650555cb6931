import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { Fetch } from '../../request.js';
import { Skipped } from '../inputs.js';
import type { TestLimits } from '../limits.js';

export interface ProbeRequest {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** Limit of the whole response; without it, of the headers only. */
  wholeMs: number;
  /** Called with each event of a stream, in order. */
  onEvent?: (data: string) => void;
  /** Ends the reading of a stream, which is then not at fault. */
  until?: Promise<unknown>;
}

/** How a request ended without a complete response. */
export type ProbeFault =
  | { kind: 'unreachable'; message: string }
  | { kind: 'end'; ms: number }
  | { kind: 'first-byte' | 'open' | 'stopped' }
  | { kind: 'size'; bytes: number; what: 'response' | 'event' };

export interface ProbeResponse {
  /** 0 without a response. */
  status: number;
  contentType: string;
  /** The body, decoded; of a stream, the text of its events. */
  text: string;
  isUtf8: boolean;
  isStream: boolean;
  /** The data of each event of a stream. */
  events: string[];
  fault: ProbeFault | null;
  /** Milliseconds. */
  ms: number;
}

/** Returns true once a stream has reached its last event, so that the reader does not wait longer than `settleMs`. */
export type IsSettled = () => boolean;

export interface TransportOptions {
  fetch: Fetch;
  limits: TestLimits;
  signal: AbortSignal;
}

const OVER_BUDGET = 'The test has reached its limit of requests or bytes.';

/** Sends requests within limits of time, size and number, and never throws for what the agent does. */
export class Transport {
  private requests = 0;
  private bytes = 0;

  constructor(readonly options: TransportOptions) {}

  /** Requests a URL and reads the whole response. @throws the reason of the signal; {Skipped} over a limit of the test */
  async request(request: ProbeRequest, isSettled: IsSettled = () => false): Promise<ProbeResponse> {
    const { fetch, limits, signal } = this.options;
    signal.throwIfAborted();
    this.requests += 1;
    if (this.requests > limits.maxRequests || this.bytes > limits.maxTotalBytes) throw new Skipped(OVER_BUDGET);
    const reading = new Reading(request, limits, isSettled);
    const startedAt = Date.now();
    const onAbort = (): void => reading.stop({ kind: 'stopped' });
    signal.addEventListener('abort', onAbort, { once: true });
    void request.until?.then(() => reading.stop({ kind: 'stopped' }));
    try {
      const { method, url, headers, body } = request;
      const init = { method, headers, body, signal: reading.signal, redirect: 'manual' as const };
      const response = await Promise.race([fetch(url, init), reading.stopped]);
      if (response instanceof Response) await reading.read(response);
    } catch (error) {
      reading.stop({ kind: 'unreachable', message: reasonOf(error) });
    } finally {
      signal.removeEventListener('abort', onAbort);
      reading.close();
    }
    signal.throwIfAborted();
    this.bytes += reading.bytes;
    return { ...reading.result(), ms: Date.now() - startedAt };
  }
}

/** One response while it arrives. */
class Reading {
  private readonly abort = new AbortController();
  private readonly timers: ReturnType<typeof setTimeout>[] = [];
  private fault: ProbeFault | null = null;
  private chunks: Uint8Array[] = [];
  private events: string[] = [];
  private head = { status: 0, contentType: '', isStream: false };
  private wake: (stopped: null) => void = () => undefined;
  private firstByteTimer: ReturnType<typeof setTimeout> | undefined;
  bytes = 0;
  private openBytes = 0;
  /** Resolves when the response is given up. */
  readonly stopped = new Promise<null>((resolve) => {
    this.wake = resolve;
  });

  constructor(
    private readonly request: ProbeRequest,
    private readonly limits: TestLimits,
    private readonly isSettled: IsSettled,
  ) {
    // Before the other timer, so that it counts if both have the same time. The headers of a response that is not a
    // stream arrive with the end of the work.
    if (request.onEvent) this.firstByteTimer = this.stopAfter(limits.firstByteMs, { kind: 'first-byte' });
    this.stopAfter(request.wholeMs, { kind: 'end', ms: request.wholeMs });
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }

  stop(fault: ProbeFault): void {
    this.fault ??= fault;
    this.abort.abort();
    this.wake(null);
  }

  close(): void {
    for (const timer of this.timers) clearTimeout(timer);
    this.abort.abort();
  }

  async read(response: Response): Promise<void> {
    const contentType = response.headers.get('content-type') ?? '';
    const isStream = response.ok && this.request.onEvent !== undefined && !/[/+]json\b/i.test(contentType);
    this.head = { status: response.status, contentType, isStream };
    if (!isStream || !response.body) clearTimeout(this.firstByteTimer);
    const reader = response.body?.getReader();
    const decoder = new TextDecoder();
    const parser = createParser({ onEvent: (event) => this.onEvent(event) });
    try {
      while (reader && !this.fault) {
        const step = await Promise.race([reader.read(), this.stopped]);
        if (step === null || step.done) return;
        this.onChunk(step.value);
        if (!isStream) continue;
        parser.feed(decoder.decode(step.value, { stream: true }));
        if (this.openBytes > this.limits.maxEventBytes) this.stopAtSize('event');
      }
    } finally {
      void reader?.cancel().catch(() => undefined);
    }
  }

  result(): Omit<ProbeResponse, 'ms'> {
    const all = join(this.chunks, this.bytes);
    const { text, isUtf8 } = decode(all);
    return { ...this.head, text, isUtf8, events: this.events, fault: this.fault };
  }

  private onChunk(chunk: Uint8Array): void {
    this.bytes += chunk.byteLength;
    this.openBytes += chunk.byteLength;
    if (this.bytes > this.limits.maxResponseBytes) this.stopAtSize('response');
    else this.chunks.push(chunk);
  }

  private stopAtSize(what: 'response' | 'event'): void {
    const { maxResponseBytes, maxEventBytes } = this.limits;
    this.stop({ kind: 'size', bytes: what === 'event' ? maxEventBytes : maxResponseBytes, what });
  }

  private onEvent({ data }: EventSourceMessage): void {
    this.openBytes = 0;
    // Proxies keep streams open with their own events; those of a call are objects.
    if (!data.trimStart().startsWith('{') || this.fault) return;
    // One character has at least one byte.
    if (data.length > this.limits.maxEventBytes) {
      this.stopAtSize('event');
      return;
    }
    clearTimeout(this.firstByteTimer);
    this.events.push(data);
    this.request.onEvent?.(data);
    if (this.isSettled()) this.stopAfter(this.limits.settleMs, { kind: 'open' });
  }

  private stopAfter(ms: number, fault: ProbeFault): ReturnType<typeof setTimeout> {
    const timer = setTimeout(() => this.stop(fault), ms);
    this.timers.push(timer);
    return timer;
  }
}

function join(chunks: Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length);
  let at = 0;
  // The chunk that exceeded the limit was not kept.
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.byteLength;
  }
  return all;
}

function decode(bytes: Uint8Array): { text: string; isUtf8: boolean } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), isUtf8: true };
  } catch {
    return { text: new TextDecoder().decode(bytes), isUtf8: false };
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.message : error.message;
}
