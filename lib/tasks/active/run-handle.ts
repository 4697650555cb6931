import { newUuid } from '../../platform/ids';
import { LightAbortController } from '../../platform/runtime/abort';
import { statusOf, type TaskEvent } from '../../protocol/a2a/core/events';
import { endsTurn, type Message, type Task } from '../../protocol/a2a/core/model';
import { RUN_MAX_BUFFERED_EVENTS } from '../limits';
import type { StoredEvent } from '../store/records';

const noop = (): void => undefined;

/**
 * A run in this process: its committed events, buffered so that tails need not query the database; its progress, for
 * the caller that started it; and its abort controller.
 */
export class RunHandle {
  readonly controller = new LightAbortController();
  /** Monotonic start time, milliseconds. */
  readonly startedAt = performance.now();
  /** True if the agent's task id is stored, so that another node can resume the run without loss. */
  resumable = false;
  /** True if the turn has ended but the stream is still read, because the agent may continue. */
  trailing = false;
  /** True while the task is paused until the user decides about a call by the agent. */
  paused = false;
  /** Unsubscribes from other nodes' writes to the task. */
  endInterest = noop;
  /** Called when the chain whose root is this task has changed. */
  onChainChange = noop;
  /** The message of the canceled status if the agent gives none. */
  cancelReason: Message | undefined;
  /** Resolves when all items that the run has received are persisted. */
  drained: () => Promise<void> = () => Promise.resolve();
  private buffer: StoredEvent[] = [];
  /** The sequence number before the first buffered event. */
  private bufferStart: number;
  private first: TaskEvent | null | undefined;
  /** All events of the run up to the end of its turn; null if the turn did not end, or if they exceed the buffer. */
  private completed: StoredEvent[] | null | undefined;
  private waiters: (() => void)[] = [];
  private endCallback = noop;

  /**
   * `startSeq` is the task's last sequence number when the run starts. `onRemoteWrite` is called when another node has
   * written to the task.
   */
  constructor(
    readonly taskId: string,
    private readonly startSeq: number,
    public onRemoteWrite: () => void = noop,
  ) {
    this.bufferStart = startSeq;
  }

  /** Records an event from the agent, which may not be persisted yet. */
  emit(event: TaskEvent): void {
    if (this.first !== undefined) return;
    this.first = event;
    this.wakeAll();
  }

  /** Buffers committed events. Above the maximum, tails read the oldest ones from the database. */
  append(events: StoredEvent[]): void {
    this.buffer.push(...events);
    const surplus = this.buffer.length - RUN_MAX_BUFFERED_EVENTS;
    if (surplus <= 0) return;
    this.buffer.splice(0, surplus);
    this.bufferStart += surplus;
  }

  /** Must be called when the run has ended its turn or has failed. */
  complete(): void {
    const last = this.buffer.at(-1);
    const status = last ? statusOf(last.event) : null;
    const isWhole = this.bufferStart === this.startSeq && status !== null && endsTurn(status.state);
    this.first ??= null;
    this.completed = isWhole ? this.buffer : null;
    this.wakeAll();
    this.endCallback();
  }

  /**
   * Empties a completed run, because a frequently changed map keeps old backing tables, and therefore their content,
   * alive until an expensive garbage collection.
   */
  release(): void {
    this.buffer = [];
    this.first = null;
    this.completed = null;
    this.cancelReason = undefined;
    this.onRemoteWrite = noop;
    this.onChainChange = noop;
    this.drained = () => Promise.resolve();
    this.endCallback = noop;
  }

  /** Returns the committed events after `seq`; null if they include events before the buffered ones. */
  eventsAfter(seq: number): StoredEvent[] | null {
    return seq >= this.bufferStart ? this.buffer.slice(seq - this.bufferStart) : null;
  }

  /**
   * Returns the first event, which may not be persisted yet; null if the agent sent nothing, and after {@link release}.
   */
  async firstEvent(): Promise<TaskEvent | null> {
    while (this.first === undefined) await new Promise<void>((resolve) => this.waiters.push(resolve));
    return this.first;
  }

  /**
   * Returns all events when the turn has ended; null if they are unavailable or the run continues after `timeoutMs`
   * milliseconds.
   */
  completion(timeoutMs: number): Promise<StoredEvent[] | null> {
    return new Promise((resolve) => {
      if (this.completed !== undefined) return resolve(this.completed);
      const timer = setTimeout(resolve, timeoutMs, null);
      const check = (): void => {
        if (this.completed === undefined) return void this.waiters.push(check);
        clearTimeout(timer);
        resolve(this.completed);
      };
      this.waiters.push(check);
    });
  }

  /** Calls `callback` when the run completes. */
  onEnd(callback: () => void): void {
    this.endCallback = callback;
    if (this.completed !== undefined) callback();
  }

  private wakeAll(): void {
    const pendingWaiters = this.waiters;
    this.waiters = [];
    for (const waiter of pendingWaiters) waiter();
  }
}

/** Adds the reason to a canceled status that has no message. */
export function withCancelReason(events: TaskEvent[], message: Message): TaskEvent[] {
  return events.map((event) => {
    const isBare = event.type === 'status' && event.status.state === 'canceled' && !event.status.message;
    return isBare ? { ...event, status: { ...event.status, message } } : event;
  });
}

/** Returns the caller's reason as the message of a status. */
export function cancelReason({ id: taskId, contextId }: Pick<Task, 'id' | 'contextId'>, text: string): Message {
  return { messageId: newUuid(), role: 'agent', parts: [{ kind: 'text', text }], taskId, contextId };
}
