import { ParleyError } from '../errors.js';
import type { StreamEvent } from '../wire.js';

/** An offer of a run. */
export interface RunRef {
  runId: string;
  epoch: number;
}

/** Maximum amount that the hub accepts without an acknowledgment, from its response to the hello. */
export interface Window {
  windowEvents: number;
  windowBytes: number;
  maxFrameBytes: number;
}

interface Unacknowledged {
  n: number;
  text: string;
  bytes: number;
}

/** Maximum size of the events that a run keeps in memory. */
const MAX_BYTES = 4_194_304;

/**
 * The events of one run: numbered 1, 2, … without gaps, kept until they are acknowledged, and resent after a reconnect.
 */
export class Outbox {
  private readonly events: Unacknowledged[] = [];
  private bytes = 0;
  private last = 0;
  private send: ((text: string) => void) | null = null;
  private waiters: { isDone: () => boolean; resolve: () => void }[] = [];

  constructor(
    private readonly ref: RunRef,
    private window: Window,
  ) {}

  /** The number of the last event. */
  get sent(): number {
    return this.last;
  }

  get isEmpty(): boolean {
    return this.events.length === 0;
  }

  /**
   * Adds an event, and sends it if connected.
   * @throws {ParleyError} `too_large` for an event that does not fit into a frame, or if too much is unacknowledged
   */
  push(item: StreamEvent): void {
    const n = this.last + 1;
    const params = { ...this.ref, n, item };
    const text = JSON.stringify({ jsonrpc: '2.0', method: 'run.event', params });
    const bytes = new TextEncoder().encode(text).length;
    const limit = Math.min(this.window.maxFrameBytes, MAX_BYTES - this.bytes);
    if (bytes > limit) throw new ParleyError('too_large', `The event has ${bytes} bytes; expected at most ${limit}.`);
    this.last = n;
    this.bytes += bytes;
    this.events.push({ n, text, bytes });
    this.send?.(text);
  }

  /** Removes the events up to the n-th, which are persisted. */
  acknowledge(n: number): void {
    while (this.events[0] && this.events[0].n <= n) this.bytes -= this.events.shift()?.bytes ?? 0;
    this.wake();
  }

  /** Attaches a connection: resends the events after `seen`. */
  attach(send: (text: string) => void, { seen, window }: { seen: number; window: Window }): void {
    this.window = window;
    this.acknowledge(seen);
    this.send = send;
    for (const { text } of this.events) send(text);
  }

  detach(): void {
    this.send = null;
  }

  /** Resolves when another event fits into the window. */
  whenRoom(): Promise<void> {
    return this.when(() => this.events.length < this.window.windowEvents && this.bytes < this.window.windowBytes);
  }

  /** Resolves when every event is acknowledged. */
  whenEmpty(): Promise<void> {
    return this.when(() => this.isEmpty);
  }

  /** Drops every event, because they have no reader any more. */
  clear(): void {
    this.detach();
    this.acknowledge(this.last);
  }

  private async when(isDone: () => boolean): Promise<void> {
    if (!isDone()) await new Promise<void>((resolve) => this.waiters.push({ isDone, resolve }));
  }

  private wake(): void {
    const done = this.waiters.filter(({ isDone }) => isDone());
    this.waiters = this.waiters.filter((waiter) => !done.includes(waiter));
    for (const { resolve } of done) resolve();
  }
}
