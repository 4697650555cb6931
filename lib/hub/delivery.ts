import { env } from '../platform/runtime/env';
import type { JsonObject } from '../protocol/json';
import type { ChannelRun } from './channel';
import { MAX_RESEND_GAPS, WINDOW_BYTES, WINDOW_EVENTS } from './limits';
import type { WorkerSession } from './worker-session';

/** A run that this node delivers. */
export interface DeliveredRun {
  principal: string;
  taskId: string;
  /** The task's sequence number when the turn started. */
  turnSeq: number;
  agentId: string;
  /** The agent's context of the task, whose last worker is preferred. */
  contextId: string;
  workerId: string;
  epoch: number;
  /** The number of the last persisted event; 0 for a run that starts. */
  seen: number;
}

/** A run for which a worker is to be selected. */
export type OfferedRun = Omit<DeliveredRun, 'workerId'>;

/** The epoch of a run's first offer. */
export const FIRST_EPOCH = 1;

/** Events of a worker, which are A2A 1.0 StreamResponses. `n` is the number of the last one. */
export interface DeliveredBatch {
  items: JsonObject[];
  n: number;
}

/** Why the events ended: `finished` here, `lost` with the worker, or `released` by the worker before it started. */
export type DeliveryEnd = 'finished' | 'lost' | 'released';

/** Returns the id of a run in frames. */
export function runIdOf({ taskId, turnSeq }: Pick<DeliveredRun, 'taskId' | 'turnSeq'>): string {
  return `${taskId}:${turnSeq}`;
}

/**
 * One offer of a run to one worker: sends the frames of the run, and queues the worker's events for the reader in order.
 * Survives the connection for the grace period.
 */
export class Delivery implements ChannelRun {
  readonly runId: string;
  /** The reason why the events ended; null before. */
  ended: DeliveryEnd | null = null;
  private session: WorkerSession | null = null;
  private queue: JsonObject[] = [];
  /** Sizes of the events that are not persisted yet, bytes. */
  private unpersisted: number[] = [];
  private received: number;
  private persisted: number;
  private accepted: boolean;
  private wake: () => void = () => undefined;
  private onRoom: () => void = () => undefined;
  private offered: JsonObject | null = null;
  private awaitsResend = false;
  /** Consecutive reconnects after which the worker did not send the next event. */
  private resendGaps = 0;
  private graceTimer: NodeJS.Timeout | undefined;
  private readonly endListeners = new Set<() => void>();

  /** `session` is null for an accepted run whose worker has not reconnected yet. */
  constructor(
    readonly run: DeliveredRun,
    { session, accepted }: { session: WorkerSession | null; accepted: boolean },
    private readonly onEnd: (delivery: Delivery) => void,
  ) {
    this.runId = runIdOf(run);
    this.received = run.seen;
    this.persisted = run.seen;
    this.accepted = accepted;
    if (session) this.attach(session);
    else this.startGrace();
  }

  /** The number of the last persisted event. */
  get seen(): number {
    return this.persisted;
  }

  get epoch(): number {
    return this.run.epoch;
  }

  /** True if the run was accepted and its worker is disconnected. */
  get isDetached(): boolean {
    return this.accepted && this.session === null && this.ended === null;
  }

  /** True if the unpersisted events exceed the window. */
  get isFull(): boolean {
    return !this.isWithinWindow();
  }

  get isAccepted(): boolean {
    return this.accepted;
  }

  /** True if the worker declared that a lost run may be started again. */
  get redelivers(): boolean {
    return this.session?.identity.redelivers ?? false;
  }

  /** Sets the worker's connection, also after it reconnected. */
  attach(session: WorkerSession): void {
    clearTimeout(this.graceTimer);
    this.session?.deliveries.delete(this);
    this.session = session;
    this.awaitsResend = this.accepted;
    session.deliveries.add(this);
  }

  /**
   * Offers the run. Returns true if the worker accepts it. A worker that refuses, or does not answer in time, receives
   * no offers for some time.
   */
  async offer(params: JsonObject): Promise<boolean> {
    const { session } = this;
    if (!session) return false;
    this.offered = params;
    const answer = await session.channel.offer(this, params);
    if (answer.accept) return !this.ended;
    session.pause(answer);
    return false;
  }

  /** Starts the worker. Called when the acceptance is persisted, and again if the worker did not receive it. */
  start(): void {
    this.accepted = true;
    this.session?.channel.start(this, this.offered);
    this.offered = null;
    if (!this.session) this.startGrace();
  }

  /**
   * Queues the n-th event. Repeated ones are acknowledged again and dropped.
   * @returns false if the worker exceeds its window or leaves a gap
   */
  push(n: number, item: JsonObject, bytes: number): boolean {
    if (this.ended) return true;
    if (n <= this.received) {
      if (n <= this.persisted) this.sendAck();
      return true;
    }
    if (n !== this.received + 1 || !this.accepted) {
      // The worker no longer has events that were acknowledged and that a failover of the database lost.
      if (this.awaitsResend && ++this.resendGaps >= MAX_RESEND_GAPS) this.end('lost');
      this.awaitsResend = false;
      return this.ended !== null;
    }
    this.awaitsResend = false;
    this.resendGaps = 0;
    this.received = n;
    this.queue.push(item);
    this.unpersisted.push(bytes);
    this.wake();
    return this.isWithinWindow();
  }

  /** Queues events of a worker that uses neither event numbers nor acknowledgments (see {@link room}). */
  append(items: JsonObject[], bytes = 0): void {
    if (this.ended || !this.accepted) return;
    for (const item of items) {
      this.received += 1;
      this.queue.push(item);
      this.unpersisted.push(bytes / items.length);
    }
    this.wake();
  }

  /** Resolves when the unpersisted events are within the window, or the events have ended. */
  async room(): Promise<void> {
    while (!this.ended && !this.isWithinWindow()) {
      await new Promise<void>((resolve) => {
        this.onRoom = resolve;
      });
    }
  }

  /**
   * Returns true while the unpersisted events are within twice the window. Events that were sent before an
   * acknowledgment arrived must not count against the worker.
   */
  private isWithinWindow(): boolean {
    const { unpersisted } = this;
    if (unpersisted.length <= 1) return true;
    return unpersisted.length <= 2 * WINDOW_EVENTS && unpersisted.reduce((a, b) => a + b) <= 2 * WINDOW_BYTES;
  }

  /** Yields the worker's events in order, in batches as they arrive, until {@link end}. */
  async *batches(): AsyncGenerator<DeliveredBatch> {
    for (;;) {
      if (this.queue.length > 0) {
        const items = this.queue;
        this.queue = [];
        yield { items, n: this.received };
      } else if (this.ended) {
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
      }
    }
  }

  /** Must be called when all events up to the n-th are persisted. */
  acknowledge(n: number): void {
    if (n <= this.persisted) return;
    this.unpersisted.splice(0, n - this.persisted);
    this.persisted = n;
    this.sendAck();
    this.onRoom();
  }

  private sendAck(): void {
    this.session?.channel.acknowledge(this, this.persisted);
  }

  /** Asks the worker to stop. The worker sends its last status. */
  cancel(reason?: string): void {
    this.session?.channel.cancel(this, reason);
  }

  /**
   * Must be called when the connection has closed. A worker that accepted the run may reconnect within the grace
   * period.
   */
  detach(session: WorkerSession): void {
    if (this.session !== session) return;
    session.deliveries.delete(this);
    this.session = null;
    if (this.accepted) this.startGrace();
    else this.end('released');
  }

  private startGrace(): void {
    clearTimeout(this.graceTimer);
    this.graceTimer = setTimeout(() => this.end('lost'), env().HUB_GRACE_SECONDS * 1_000);
    this.graceTimer.unref();
  }

  /** Calls `listener` when the events end. Returns a function that unsubscribes. */
  whenEnded(listener: () => void): () => void {
    this.endListeners.add(listener);
    return () => this.endListeners.delete(listener);
  }

  /** Ends the events, and releases the worker's credit. Later frames of the run are dropped. */
  end(how: DeliveryEnd): void {
    if (this.ended) return;
    this.ended = how;
    clearTimeout(this.graceTimer);
    this.session?.deliveries.delete(this);
    this.session = null;
    this.wake();
    this.onRoom();
    this.onEnd(this);
    for (const listener of this.endListeners) listener();
    this.endListeners.clear();
  }
}
