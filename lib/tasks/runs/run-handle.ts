import { newUuid } from '../../platform/ids';
import { LightAbortController } from '../../platform/runtime/abort';
import { statusOf, type TaskEvent } from '../../protocol/a2a/core/events';
import { endsTurn, type Message, type Task } from '../../protocol/a2a/core/model';
import { RUN_MAX_BUFFERED_EVENTS } from '../limits';
import type { StoredEvent } from '../store/records';

const noop = (): void => undefined;

/**
 * A run of this process: its committed events, buffered so that tails need not query the database; its progress, for
 * the caller that started it; and its abort controller.
 */
export class RunHandle {
  readonly controller = new LightAbortController();
  /** Milliseconds, monotonic. */
  readonly startedAt = performance.now();
  /** True once the agent's task id is stored: another node can resume the run without loss. */
  resumable = false;
  /** True if the turn has ended; the stream is still read, because the agent may continue. */
  trailing = false;
  /** True while the task is paused, until the user decides about a call that an agent makes for it. */
  paused = false;
  /** Unsubscribes from writes of other nodes to the task. */
  endInterest = noop;
  /** Called when the chain of the task, as its root, has changed. */
  onChainChange = noop;
  /** The message of the canceled status if the agent states none. */
  cancelReason: Message | undefined;
  /** Resolves when everything that the run has received is persisted. */
  drained: () => Promise<void> = () => Promise.resolve();
  private buffer: StoredEvent[] = [];
  /** The sequence number before the first buffered event. */
  private bufferStart: number;
  private first: TaskEvent | null | undefined;
  /** All events of the run when it ended its turn; null when it did not, or when they exceed the buffer. */
  private completed: StoredEvent[] | null | undefined;
  private waiters: (() => void)[] = [];
  private endCallback = noop;

  /**
   * `startSeq`: the task's last sequence number when the run starts. `onRemoteWrite`: called when another node wrote to
   * the task.
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

  /** Buffers committed events. Beyond the maximum, tails read the oldest ones from the database. */
  append(events: StoredEvent[]): void {
    this.buffer.push(...events);
    const surplus = this.buffer.length - RUN_MAX_BUFFERED_EVENTS;
    if (surplus <= 0) return;
    this.buffer.splice(0, surplus);
    this.bufferStart += surplus;
  }

  /** Call when the run has ended its turn, or has failed. */
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
   * Empties a completed run: a frequently changing map keeps old backing tables, and thus their content, alive until an
   * expensive collection.
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

  /** The committed events after `seq`; null when older ones than those buffered are requested. */
  eventsAfter(seq: number): StoredEvent[] | null {
    return seq >= this.bufferStart ? this.buffer.slice(seq - this.bufferStart) : null;
  }

  /** The first event, possibly not persisted yet; null when the agent sent nothing, or after {@link release}. */
  async firstEvent(): Promise<TaskEvent | null> {
    while (this.first === undefined) await new Promise<void>((resolve) => this.waiters.push(resolve));
    return this.first;
  }

  /**
   * All events once the turn has ended; null when unavailable, or when the run continues after `timeoutMs`
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

/** The events, with the reason in a canceled status that has no message. */
export function withCancelReason(events: TaskEvent[], message: Message): TaskEvent[] {
  return events.map((event) => {
    const isBare = event.type === 'status' && event.status.state === 'canceled' && !event.status.message;
    return isBare ? { ...event, status: { ...event.status, message } } : event;
  });
}

/** The caller's reason as the message of a status. */
export function cancelReason({ id: taskId, contextId }: Pick<Task, 'id' | 'contextId'>, text: string): Message {
  return { messageId: newUuid(), role: 'agent', parts: [{ kind: 'text', text }], taskId, contextId };
}
