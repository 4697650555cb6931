import { publishCommitted } from '../../platform/bus';
import { isDatabaseUnavailable } from '../../platform/db/database-errors';
import { sleep } from '../../platform/runtime/abort';
import { failpoint } from '../../platform/runtime/failpoint';
import { errorFields, log } from '../../platform/runtime/log';
import { eventEndsTurn, isPause, type TaskEvent } from '../../protocol/a2a/core/events';
import type { RunHandle } from '../active/run-handle';
import {
  MAX_PENDING_EVENT_BYTES,
  WRITE_BACKOFF_INITIAL_MS,
  WRITE_BACKOFF_MAX_MS,
  WRITE_RETRY_TIMEOUT_MS,
} from '../limits';
import { type Append, appendEvents, wasAppended } from '../store/append-events';
import type { HubRunChange } from '../store/hub-runs';
import type { TaskRecord } from '../store/records';
import { msUntilNextFlush } from './task-readers';

/** The agent's ids of the task and its context, as far as they are known. */
type UpstreamIds = Pick<Append, 'upstreamTaskId' | 'upstreamContextId'>;

/** The position in a worker's events, persisted in the same commit as the task's events. */
export interface EventCursor {
  /** Returns the change of the stored run for a commit of the events so far. */
  changeOf: (turnEnded: boolean) => HubRunChange;
  /** Returns a function to call when the events so far are persisted. */
  onCommit: () => () => void;
}

/**
 * Appends one run's events in order. Events that arrive during a commit form one row of the next commit. If there are
 * many readers, events are batched in the same way.
 */
export class TaskWriter {
  private seq: number;
  private pending: TaskEvent[] = [];
  private pendingBytes = 0;
  private flushing: Promise<void> | null = null;
  private upstream: UpstreamIds | undefined;
  private failure: { error: unknown } | null = null;
  private skipDelay: () => void = () => undefined;
  private flushRequested = false;
  /**
   * True while the task is interrupted and owned by no node. An event that the agent sends unprompted acquires the task
   * again.
   */
  private released = false;
  /** True if another writer has appended to the task, so that this run must stop. */
  superseded = false;

  constructor(
    private readonly task: TaskRecord,
    private readonly run: RunHandle,
    private readonly cursor?: EventCursor,
  ) {
    this.seq = task.lastSeq;
  }

  /**
   * Queues events. Returns a promise only if the queue is full.
   * @throws (synchronously or by rejection) the database error, including that of an earlier write
   */
  write(events: TaskEvent[], upstream?: UpstreamIds): Promise<void> | undefined {
    if (events.length === 0 || this.superseded) return undefined;
    this.upstream = upstream;
    this.pending.push(...events);
    for (const event of events) this.pendingBytes += sizeOf(event);
    this.flushing ??= this.flush();
    const isFull = this.pendingBytes > MAX_PENDING_EVENT_BYTES;
    if (isFull || events.some(eventEndsTurn)) this.flushNow();
    if (isFull) return this.flushing.then(() => this.throwIfFailed());
    this.throwIfFailed();
    return undefined;
  }

  /** The sequence number of the last persisted event; meaningful only while the writer is not superseded. */
  get lastSeq(): number {
    return this.seq;
  }

  /** True if all events passed to {@link write} are persisted. */
  get isIdle(): boolean {
    return this.flushing === null && this.pending.length === 0;
  }

  /** Resolves when all queued events are persisted. Throws like {@link write}. */
  async drained(): Promise<void> {
    this.flushNow();
    while (this.flushing) await this.flushing;
    this.throwIfFailed();
  }

  /** Writes the queue without waiting for more events. */
  flushNow(): void {
    this.flushRequested = true;
    this.skipDelay();
  }

  private throwIfFailed(): void {
    if (this.failure) throw this.failure.error;
  }

  private async flush(): Promise<void> {
    try {
      while (this.pending.length > 0 && !this.superseded && !this.failure) {
        const immediate = this.flushRequested || this.pending.some(eventEndsTurn);
        const wait = immediate ? 0 : msUntilNextFlush(this.task.id);
        if (wait > 0) await this.delay(wait);
        this.flushRequested = false;
        const events = this.pending;
        this.pending = [];
        this.pendingBytes = 0;
        const append = this.toAppend(events);
        failpoint('events.received');
        if (!(await appendEvents(append).catch((error) => this.retryAppend(append, error)))) this.superseded = true;
        failpoint('events.stored');
        this.seq += events.length;
        this.released = append.runNode === null;
      }
    } catch (error) {
      this.failure = { error };
    } finally {
      this.flushing = null;
    }
  }

  private delay(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.skipDelay = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private toAppend(events: TaskEvent[]): Append {
    const last = events.at(-1);
    const turnEnded = last !== undefined && eventEndsTurn(last) && !isPause(last);
    const stored = events.map((event, index) => ({ seq: this.seq + index + 1, event }));
    const { id: taskId, runNode } = this.task;
    const onCursorCommit = this.cursor?.onCommit();
    return {
      taskId,
      after: this.seq,
      events,
      runNode: turnEnded ? null : runNode,
      expectedOwner: this.released ? undefined : (runNode ?? undefined),
      upstreamTaskId: this.upstream?.upstreamTaskId,
      upstreamContextId: this.upstream?.upstreamContextId,
      hub: this.cursor?.changeOf(turnEnded),
      at: new Date(),
      onCommit: () => {
        this.run.append(stored);
        onCursorCommit?.();
        if (this.upstream?.upstreamTaskId !== undefined) this.run.resumable = true;
      },
    };
  }

  /** Retries while the database is unavailable. Reading from the agent is paused, so that no event is lost. */
  private async retryAppend(append: Append, failure: unknown): Promise<boolean> {
    const { controller } = this.run;
    let error = failure;
    for (let wait = WRITE_BACKOFF_INITIAL_MS, waited = 0; ; wait = Math.min(wait * 2, WRITE_BACKOFF_MAX_MS)) {
      if (!isDatabaseUnavailable(error) || waited > WRITE_RETRY_TIMEOUT_MS || controller.aborted) throw error;
      log.warn('task.write_retried', { taskId: append.taskId, ...errorFields(error) });
      await sleep(wait, controller);
      waited += wait;
      try {
        if (!(await wasAppended(append))) return await appendEvents(append);
        append.onCommit?.();
        publishCommitted('task', append.taskId);
        return true;
      } catch (retryError) {
        error = retryError;
      }
    }
  }
}

/** Returns an estimated size, because the exact size is expensive to compute for text. */
function sizeOf(event: TaskEvent): number {
  const content =
    event.type === 'artifact' ? event.artifact : event.type === 'status' ? event.status.message : event.message;
  let size = 0;
  for (const part of content?.parts ?? []) {
    if (part.kind === 'text') size += part.text.length;
    else if (part.kind === 'bytes') size += part.bytes.length;
    else size += part.kind === 'data' ? JSON.stringify(part.data).length : part.uri.length;
  }
  return size;
}
