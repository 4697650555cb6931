import { sleep } from '../../platform/abort';
import { publishLocally } from '../../platform/bus';
import { isDatabaseUnavailable } from '../../platform/database-errors';
import { errorFields, log } from '../../platform/log';
import { isFinal, type TaskEvent } from '../../protocol/a2a/core/events';
import { endsTurn } from '../../protocol/a2a/core/model';
import { type Append, appendEvents, wasAppended } from '../store/append-events';
import type { TaskRecord } from '../store/records';
import { msUntilNextFlush } from '../streams/task-subscription';
import { type ActiveRun, bufferEvents } from './active-runs';

/** Pauses while the database is away, and how long a run bears it, milliseconds. */
const initialBackoffMs = 100;
const maxBackoffMs = 2_000;
const retryTimeoutMs = 300_000;
/** Events that may wait for the disk before the agent is read on, bytes. */
const maxPendingBytes = 4 * 1_048_576;

/** The agent's own ids of the task and its context, as far as it has said. */
type UpstreamIds = Pick<Append, 'upstreamTaskId' | 'upstreamContextId'>;

/**
 * Writes one run's events in order. What arrives while a commit is in flight goes into the next as one piece; so does what its many
 * readers would be told of together anyway.
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
  /** The task waits for its caller, so that no node holds it: what the agent says by itself takes it again. */
  private released = false;
  /** Somebody else wrote to the task: this run is over. */
  superseded = false;

  constructor(
    private readonly task: TaskRecord,
    private readonly activeRun: ActiveRun,
  ) {
    this.seq = task.lastSeq;
  }

  /**
   * Takes events to be written; a promise only when they have to wait for room.
   * @throws (in either way) what the database failed with, also when that was an earlier write
   */
  write(events: TaskEvent[], upstream?: UpstreamIds): Promise<void> | undefined {
    if (events.length === 0 || this.superseded) return undefined;
    this.upstream = upstream;
    this.pending.push(...events);
    for (const event of events) this.pendingBytes += sizeOf(event);
    this.flushing ??= this.flush();
    const isFull = this.pendingBytes > maxPendingBytes;
    if (isFull || events.some(isTurnEnd)) this.flushNow();
    if (isFull) return this.flushing.then(() => this.throwIfFailed());
    this.throwIfFailed();
    return undefined;
  }

  /** Resolves when everything taken is on disk; throws like {@link write}. */
  async drained(): Promise<void> {
    this.flushNow();
    while (this.flushing) await this.flushing;
    this.throwIfFailed();
  }

  /** Writes what was taken without waiting for more. */
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
        const immediate = this.flushRequested || this.pending.some(isTurnEnd);
        const wait = immediate ? 0 : msUntilNextFlush(this.task.id);
        if (wait > 0) await this.delay(wait);
        this.flushRequested = false;
        const events = this.pending;
        this.pending = [];
        this.pendingBytes = 0;
        const append = this.toAppend(events);
        if (!(await appendEvents(append).catch((error) => this.retryAppend(append, error)))) this.superseded = true;
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
    const turnEnded = last !== undefined && isTurnEnd(last);
    const stored = events.map((event, index) => ({ seq: this.seq + index + 1, event }));
    const { id: taskId, runNode } = this.task;
    return {
      taskId,
      after: this.seq,
      events,
      runNode: turnEnded ? null : runNode,
      expectedOwner: this.released ? undefined : (runNode ?? undefined),
      upstreamTaskId: this.upstream?.upstreamTaskId,
      upstreamContextId: this.upstream?.upstreamContextId,
      at: new Date(),
      onCommit: () => {
        bufferEvents(this.activeRun, stored);
        if (this.upstream?.upstreamTaskId !== undefined) this.activeRun.resumable = true;
      },
    };
  }

  /** Goes on trying while the database is away: the agent waits, and what it said is not lost. */
  private async retryAppend(append: Append, failure: unknown): Promise<boolean> {
    const { controller: stop } = this.activeRun;
    let error = failure;
    for (let wait = initialBackoffMs, waited = 0; ; wait = Math.min(wait * 2, maxBackoffMs)) {
      if (!isDatabaseUnavailable(error) || waited > retryTimeoutMs || stop.aborted) throw error;
      log.warn('task.write_waits', { taskId: append.taskId, ...errorFields(error) });
      await sleep(wait, stop);
      waited += wait;
      try {
        if (!(await wasAppended(append))) return await appendEvents(append);
        append.onCommit?.();
        publishLocally('task', append.taskId);
        return true;
      } catch (retryError) {
        error = retryError;
      }
    }
  }
}

function isTurnEnd(event: TaskEvent): boolean {
  return isFinal(event) || (event.type === 'status' && endsTurn(event.status.state));
}

/** Roughly, and cheaply where it matters: of texts. */
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
