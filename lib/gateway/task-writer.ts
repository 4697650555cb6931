import { pause } from '../platform/abort';
import { publishHere } from '../platform/bus';
import { isDatabaseAway } from '../platform/database-away';
import { errorFields, log } from '../platform/log';
import { isFinal, type TaskEvent } from '../protocol/a2a/core/events';
import { endsTurn } from '../protocol/a2a/core/model';
import { untilNextTelling } from './hear-task';
import { addLive, type LiveTask } from './live-tasks';
import { type Append, appendEvents, wasAppended } from './store/append-events';
import type { TaskRecord } from './store/records';

/** Pauses while the database is away, and how long a run bears it, milliseconds. */
const firstPauseMs = 100;
const longestPauseMs = 2_000;
const patienceMs = 300_000;
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
  private endPause: () => void = () => undefined;
  private hurried = false;
  /** The task waits for its caller, so that no node holds it: what the agent says by itself takes it again. */
  private released = false;
  /** Somebody else wrote to the task: this run is over. */
  overtaken = false;

  constructor(
    private readonly task: TaskRecord,
    private readonly live: LiveTask,
  ) {
    this.seq = task.lastSeq;
  }

  /**
   * Takes events to be written; a promise only when they have to wait for room.
   * @throws (in either way) what the database failed with, also when that was an earlier write
   */
  write(events: TaskEvent[], upstream?: UpstreamIds): Promise<void> | undefined {
    if (events.length === 0 || this.overtaken) return undefined;
    this.upstream = upstream;
    this.pending.push(...events);
    for (const event of events) this.pendingBytes += sizeOf(event);
    this.flushing ??= this.flush();
    const isFull = this.pendingBytes > maxPendingBytes;
    if (isFull || events.some(endsItsTurn)) this.hurry();
    if (isFull) return this.flushing.then(() => this.check());
    this.check();
    return undefined;
  }

  /** Resolves when everything taken is on disk; throws like {@link write}. */
  async settled(): Promise<void> {
    this.hurry();
    while (this.flushing) await this.flushing;
    this.check();
  }

  /** Writes what was taken without waiting for more. */
  hurry(): void {
    this.hurried = true;
    this.endPause();
  }

  private check(): void {
    if (this.failure) throw this.failure.error;
  }

  private async flush(): Promise<void> {
    try {
      while (this.pending.length > 0 && !this.overtaken && !this.failure) {
        const atOnce = this.hurried || this.pending.some(endsItsTurn);
        const wait = atOnce ? 0 : untilNextTelling(this.task.id);
        if (wait > 0) await this.pause(wait);
        this.hurried = false;
        const events = this.pending;
        this.pending = [];
        this.pendingBytes = 0;
        const append = this.appendOf(events);
        if (!(await appendEvents(append).catch((error) => this.appendLater(append, error)))) this.overtaken = true;
        this.seq += events.length;
        this.released = append.runNode === null;
      }
    } catch (error) {
      this.failure = { error };
    } finally {
      this.flushing = null;
    }
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private appendOf(events: TaskEvent[]): Append {
    const last = events.at(-1);
    const over = last !== undefined && endsItsTurn(last);
    const stored = events.map((event, index) => ({ seq: this.seq + index + 1, event }));
    const { id: taskId, runNode } = this.task;
    return {
      taskId,
      after: this.seq,
      events,
      runNode: over ? null : runNode,
      heldBy: this.released ? undefined : (runNode ?? undefined),
      upstreamTaskId: this.upstream?.upstreamTaskId,
      upstreamContextId: this.upstream?.upstreamContextId,
      at: new Date(),
      committed: () => {
        addLive(this.live, stored);
        if (this.upstream?.upstreamTaskId !== undefined) this.live.resumable = true;
      },
    };
  }

  /** Goes on trying while the database is away: the agent waits, and what it said is not lost. */
  private async appendLater(append: Append, failure: unknown): Promise<boolean> {
    const { stop } = this.live;
    let error = failure;
    for (let wait = firstPauseMs, waited = 0; ; wait = Math.min(wait * 2, longestPauseMs)) {
      if (!isDatabaseAway(error) || waited > patienceMs || stop.aborted) throw error;
      log.warn('task.write_waits', { taskId: append.taskId, ...errorFields(error) });
      await pause(wait, stop);
      waited += wait;
      try {
        if (!(await wasAppended(append))) return await appendEvents(append);
        append.committed?.();
        publishHere('task', append.taskId);
        return true;
      } catch (again) {
        error = again;
      }
    }
  }
}

function endsItsTurn(event: TaskEvent): boolean {
  return isFinal(event) || (event.type === 'status' && endsTurn(event.status.state));
}

/** Roughly, and cheaply where it matters: of texts. */
function sizeOf(event: TaskEvent): number {
  const said =
    event.type === 'artifact' ? event.artifact : event.type === 'status' ? event.status.message : event.message;
  let size = 0;
  for (const part of said?.parts ?? []) {
    if (part.kind === 'text') size += part.text.length;
    else if (part.kind === 'bytes') size += part.bytes.length;
    else size += part.kind === 'data' ? JSON.stringify(part.data).length : part.uri.length;
  }
  return size;
}
