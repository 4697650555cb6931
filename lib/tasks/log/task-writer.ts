import { nodeId, publishLocally } from '../../platform/bus';
import { failpoint } from '../../platform/runtime/failpoint';
import { errorFields, log } from '../../platform/runtime/log';
import { eventEndsTurn, isPause, statusOf, type TaskEvent } from '../../protocol/a2a/core/events';
import type { RunHandle } from '../active/run-handle';
import { MAX_PENDING_EVENT_BYTES, STATE_WRITE_DELAY_MS } from '../limits';
import type { Append } from '../store/append-events';
import type { HubRunChange } from '../store/hub-runs';
import type { TaskRecord } from '../store/records';
import { canStream, OpenSegment, streamKeyOf } from '../store/stream/segments';
import { clearSegment } from '../store/stream/settle-segments';
import { persistEvents, persistOwnEvents } from './persist-events';
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
 * Appends one run's events in order. Events that arrive during a write form one row, or message, of the next write. If
 * there are many readers, events are batched in the same way. With an event stream, events within a turn are stored
 * there, and PostgreSQL receives them together: at the end of the turn, with an event that other tables depend on, when
 * the segment is full, and when the stream fails.
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
  /** The events that are only in the stream; null if the next write is to PostgreSQL. */
  private segment: OpenSegment | null = null;
  /** False if the rest of the turn is written to PostgreSQL. */
  private mayStream = true;
  /** True if the next write must be to PostgreSQL. */
  private storeRequested = false;
  private stateTimer: NodeJS.Timeout | undefined;
  /** The agent's ids that PostgreSQL has. */
  private known: UpstreamIds;
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
    const { upstreamTaskId, upstreamContextId } = task;
    this.known = {
      upstreamTaskId: upstreamTaskId ?? undefined,
      upstreamContextId: upstreamContextId ?? undefined,
    };
  }

  /**
   * Queues events. Returns a promise only if the queue is full. `toDatabase`: PostgreSQL must have them when they are
   * delivered.
   * @throws (synchronously or by rejection) the database error, including that of an earlier write
   */
  write(events: TaskEvent[], upstream?: UpstreamIds, { toDatabase = false } = {}): Promise<void> | undefined {
    if (events.length === 0 || this.superseded) return undefined;
    if (toDatabase) this.storeRequested = true;
    this.upstream = upstream;
    this.pending.push(...events);
    for (const event of events) this.pendingBytes += sizeOf(event);
    this.flushing ??= this.flush();
    const isFull = this.pendingBytes > MAX_PENDING_EVENT_BYTES;
    if (isFull || events.some(eventEndsTurn)) this.flushSoon();
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
    return this.flushing === null && this.pending.length === 0 && !this.segment?.events.length;
  }

  /** True if the stream may have events of the run that PostgreSQL lacks. */
  get streams(): boolean {
    return this.segment !== null;
  }

  /** Must be called when PostgreSQL has marked the task with this segment's key after the writer's last event. */
  beginSegment(key: string, after = this.seq): void {
    this.segment?.close();
    this.segment = new OpenSegment(this.task, { key, after, leave: () => this.leaveStream() });
  }

  /** The key with which a write that the run continues after may begin a segment; undefined if it must not. */
  get nextSegmentKey(): string | undefined {
    return this.mayStream && canStream() ? streamKeyOf(this.task.principal) : undefined;
  }

  /** Ends the use of the stream: writes what only it has to PostgreSQL. For the end of a run. Never throws. */
  async leaveStream(): Promise<void> {
    this.mayStream = false;
    await this.drained().catch(() => undefined);
    clearTimeout(this.stateTimer);
    // After a failure, the next owner of the run reads its events from the stream.
    this.segment?.close();
    this.segment = null;
  }

  /** Resolves when all queued events are persisted in PostgreSQL. Throws like {@link write}. */
  async drained(): Promise<void> {
    this.flushNow();
    while (this.flushing) await this.flushing;
    this.throwIfFailed();
  }

  /** Writes the queue, and what only the stream has, to PostgreSQL without waiting for more events. */
  flushNow(): void {
    this.flushSoon();
    if (!this.segment) return;
    this.storeRequested = true;
    this.flushing ??= this.flush();
  }

  private flushSoon(): void {
    this.flushRequested = true;
    this.skipDelay();
  }

  private throwIfFailed(): void {
    if (this.failure) throw this.failure.error;
  }

  private async flush(): Promise<void> {
    try {
      while ((this.pending.length > 0 || this.mustStore) && !this.superseded && !this.failure) {
        const immediate = this.flushRequested || this.pending.some(eventEndsTurn);
        const wait = immediate ? 0 : msUntilNextFlush(this.task.id);
        if (wait > 0) await this.delay(wait);
        this.flushRequested = false;
        const events = this.takePending();
        failpoint('events.received');
        if (!(await this.publish(events))) await this.store(events);
        failpoint('events.stored');
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

  private get mustStore(): boolean {
    return this.storeRequested && this.segment !== null;
  }

  /** Stores the events in the stream. False if they must be written to PostgreSQL. */
  private async publish(events: TaskEvent[]): Promise<boolean> {
    const { segment } = this;
    if (!segment || events.length === 0 || this.needsDatabase(segment, events)) return false;
    const append = this.toAppend(events);
    const { after, upstreamTaskId, upstreamContextId, hub, at } = append;
    const batch = { after, events, upstreamTaskId, upstreamContextId, hub, at: at.toISOString() };
    const isStored = await segment.publish(batch).catch((error: unknown) => {
      log.info('events.turn_left_stream', { taskId: this.task.id, ...errorFields(error) });
      return false;
    });
    if (!isStored) {
      this.mayStream = false;
      return false;
    }
    this.seq += events.length;
    append.onCommit?.(false);
    publishLocally('task', this.task.id);
    if (events.some(statusOf)) this.stateTimer ??= setTimeout(() => this.flushNow(), STATE_WRITE_DELAY_MS).unref();
    return true;
  }

  private needsDatabase(segment: OpenSegment, events: TaskEvent[]): boolean {
    const { upstreamTaskId, upstreamContextId } = this.upstream ?? {};
    const { id, ownContextId } = this.task;
    return (
      this.storeRequested ||
      !this.mayStream ||
      !canStream() ||
      !segment.fits(events.length) ||
      events.some(eventEndsTurn) ||
      // Other tasks and cancels look these up.
      (upstreamTaskId !== undefined && ![id, this.known.upstreamTaskId].includes(upstreamTaskId)) ||
      (upstreamContextId !== undefined && ![ownContextId, this.known.upstreamContextId].includes(upstreamContextId))
    );
  }

  /** Writes the events and the queue to PostgreSQL, after the events that only the stream has. */
  private async store(first: TaskEvent[]): Promise<void> {
    const { segment } = this;
    this.storeRequested = false;
    clearTimeout(this.stateTimer);
    this.stateTimer = undefined;
    // The cursor of the run may be after the events that arrived during a publish.
    const events = [...first, ...this.takePending()];
    const append = this.toAppend(events, segment);
    if (append.events.length === 0) {
      if (segment) await clearSegment({ ...this.task, taskId: this.task.id, after: segment.after });
    } else if (!(await persistOwnEvents(this.task, append, this.run.controller))) {
      this.mayStream = false;
      if (!(await this.appendRest(append, { segment, events }))) this.superseded = true;
    }
    const { upstreamTaskId, upstreamContextId } = append;
    this.known = {
      upstreamTaskId: upstreamTaskId ?? this.known.upstreamTaskId,
      upstreamContextId: upstreamContextId ?? this.known.upstreamContextId,
    };
    this.seq += events.length;
    this.released = append.runNode === null;
    // Replaced if the write began the next one.
    if (this.segment !== segment) return;
    segment?.close();
    this.segment = null;
  }

  /**
   * Appends what PostgreSQL lacks after another node has written the segment on behalf of this run. False if this run no
   * longer owns the task.
   */
  private async appendRest(
    append: Append,
    { segment, events }: { segment: OpenSegment | null; events: TaskEvent[] },
  ): Promise<boolean> {
    const known = segment && !this.released ? await segment.countStored(nodeId()) : null;
    if (known === null || known > events.length) return false;
    const rest = { ...append, after: this.seq + known, events: events.slice(known), streamKey: undefined };
    if (rest.events.length > 0) return persistEvents(rest, this.run.controller);
    append.onCommit?.(false);
    publishLocally('task', this.task.id);
    return true;
  }

  private takePending(): TaskEvent[] {
    const events = this.pending;
    this.pending = [];
    this.pendingBytes = 0;
    return events;
  }

  /** Returns the append of these events, after those of the segment. */
  private toAppend(events: TaskEvent[], segment: OpenSegment | null = null): Append {
    const last = events.at(-1);
    const turnEnded = last !== undefined && eventEndsTurn(last) && !isPause(last);
    const lastSeq = this.seq + events.length;
    const stored = events.map((event, index) => ({ seq: this.seq + index + 1, event }));
    const { principal, id: taskId, runNode } = this.task;
    const onCursorCommit = this.cursor?.onCommit();
    const streamKey = turnEnded || this.released ? undefined : this.nextSegmentKey;
    return {
      principal,
      taskId,
      after: segment?.after ?? this.seq,
      events: segment ? [...segment.events.map(({ event }) => event), ...events] : events,
      streamKey,
      runNode: turnEnded ? null : runNode,
      expectedOwner: this.released ? undefined : (runNode ?? undefined),
      upstreamTaskId: this.upstream?.upstreamTaskId,
      upstreamContextId: this.upstream?.upstreamContextId,
      hub: this.cursor?.changeOf(turnEnded),
      at: new Date(),
      onCommit: (hasSegment) => {
        this.run.append(stored);
        if (hasSegment && streamKey !== undefined) this.beginSegment(streamKey, lastSeq);
        onCursorCommit?.();
        if (this.upstream?.upstreamTaskId !== undefined) this.run.resumable = true;
      },
    };
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
