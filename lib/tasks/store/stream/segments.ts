import { LRUCache } from 'lru-cache';
import { doPeersReadEvents, isOnlyNode } from '../../../platform/bus';
import { int4, nullable, type RowOf, row, text, uuid } from '../../../platform/db/rows';
import { ParleyError } from '../../../platform/errors';
import { eventStream } from '../../../platform/event-stream/event-stream';
import { once } from '../../../platform/runtime/once';
import { sha256 } from '../../../platform/secrets/crypto';
import type { TaskEvent } from '../../../protocol/a2a/core/events';
import { MAX_SEGMENT_BYTES, MAX_SEGMENT_EVENTS, MAX_SEGMENT_POSITIONS } from '../../limits';
import type { HubRunChange } from '../hub-runs';
import { principalsOf, refsSql, refValues, type StoredEvent, type TaskRef } from '../records';

/** A message of the stream: consecutive events of a task, and what their commit would write besides them. */
export interface StreamedBatch {
  /** The number of the event before the first one. */
  after: number;
  events: TaskEvent[];
  upstreamTaskId?: string;
  upstreamContextId?: string;
  hub?: HubRunChange;
  at: string;
}

/** Thrown by readers of a running task if its latest events are in a stream that is unavailable. */
export class EventsUnavailableError extends ParleyError {
  constructor(options?: ErrorOptions) {
    super('unavailable', 'The latest events of the task are not available at the moment. Try again.', options);
  }
}

/** Returns the owner's token in subjects, which does not identify the principal. */
export function streamKeyOf(principal: string): string {
  return sha256(`events ${principal}`).slice(0, 16);
}

/** Returns true if a turn may store its next events in the stream. */
export function canStream(): boolean {
  return eventStream()?.accepts === true && doPeersReadEvents();
}

/** The segments that this process writes, by task. */
const ownSegments = new Map<string, OpenSegment>();

/** Returns the task's segment if this process writes it. */
export function findOwnSegment(taskId: string): OpenSegment | null {
  return ownSegments.get(taskId) ?? null;
}

const positionRow = row({ lastSeq: int4(), runNode: nullable(text()) });
const positionSql = 'SELECT last_seq AS "lastSeq", run_node AS "runNode" FROM task WHERE principal = $2 AND id = $1';

/**
 * The events of a running task that are stored in the stream and not yet in PostgreSQL. A segment begins with a write
 * to PostgreSQL, which sets `stream_key`, and has a subject of its own, which contains the task's last sequence number
 * in PostgreSQL. Only the writer that began it publishes to it, so that its first message is the first of the subject.
 */
export class OpenSegment {
  /** The events that PostgreSQL lacks. */
  readonly events: StoredEvent[] = [];
  /** The task's last sequence number in PostgreSQL. */
  readonly after: number;
  readonly leave: () => Promise<void>;
  private bytes = 0;
  /** The number of the last message in the stream. */
  private last = 0;
  private readonly subject: string;
  private readonly stopWatching: () => void;

  /** `leave` writes the events to PostgreSQL and ends the use of the stream for this turn. */
  constructor(
    readonly task: TaskRef,
    { key, after, leave }: { key: string; after: number; leave: () => Promise<void> },
  ) {
    this.after = after;
    this.leave = leave;
    this.subject = eventStream()?.subjectOf(key, task.id, after) ?? '';
    this.stopWatching = eventStream()?.onDown(() => void leave()) ?? (() => undefined);
    ownSegments.set(task.id, this);
  }

  /** Returns true if the events fit, so that one write to PostgreSQL stays bounded. */
  fits(count: number): boolean {
    return this.events.length + count <= MAX_SEGMENT_EVENTS && this.bytes < MAX_SEGMENT_BYTES;
  }

  /**
   * Stores a batch. False if a fence was stored before it.
   * @throws if it was not acknowledged, in which case it may be stored nevertheless
   */
  async publish(batch: StreamedBatch): Promise<boolean> {
    const stream = eventStream();
    if (!stream) return false;
    const data = JSON.stringify(batch);
    const id = `${this.task.id}:${batch.after + 1}`;
    const number = await stream.publish(this.subject, data, { id, last: this.last });
    if (number === null) return false;
    this.last = number;
    this.bytes += data.length;
    this.events.push(...numbered(batch));
    if (!isOnlyNode()) stream.announce(this.task.id, data);
    return true;
  }

  /**
   * Returns the number of events after those of this segment that PostgreSQL has, if another node has written the
   * segment and `node` still runs the task: events of a publish that was not acknowledged. Null otherwise.
   */
  async countStored(node: string): Promise<number | null> {
    const { principal, id } = this.task;
    const position = await positionRow.of(principal).queryFirst('find-position', positionSql, [id, principal]);
    const count = (position?.lastSeq ?? 0) - this.after - this.events.length;
    return position?.runNode === node && count >= 0 ? count : null;
  }

  /** Must be called when this process no longer writes to the segment. */
  close(): void {
    this.stopWatching();
    if (ownSegments.get(this.task.id) === this) ownSegments.delete(this.task.id);
  }
}

function numbered({ after, events }: StreamedBatch): StoredEvent[] {
  return events.map((event, index) => ({ seq: after + index + 1, event }));
}

/** Calls `listener` with events that other nodes announce after they are stored. Returns a function that ends this. */
export function followSegments(taskId: string, listener: (events: StoredEvent[]) => void): () => void {
  const end = eventStream()?.follow(taskId, (data) => listener(numbered(JSON.parse(data) as StreamedBatch)));
  return end ?? (() => undefined);
}

const segmentRow = row({ principal: text(), taskId: uuid(), key: text(), after: int4(), runNode: nullable(text()) });

/** A segment according to PostgreSQL. `after` is the task's last sequence number there. */
export type SegmentRef = RowOf<typeof segmentRow>;

const segmentsSql = `SELECT t.principal, t.id AS "taskId", t.stream_key AS key, t.last_seq AS after, t.run_node AS "runNode"
  FROM ${refsSql} JOIN task t ON t.principal = r.principal AND t.id = r.id WHERE t.stream_key IS NOT NULL`;

/** Returns the open segment of a task; null if there is none. */
export function findSegment({ principal, id }: TaskRef): Promise<SegmentRef | null> {
  return segmentRow.of(principal).queryFirst('find-segments', segmentsSql, [[principal], [id]]);
}

/** Returns the open segments of these tasks. Leaves out those whose task database is unavailable. */
export async function findSegments(tasks: readonly TaskRef[]): Promise<SegmentRef[]> {
  const { rows } = await segmentRow.queryOfAvailable(principalsOf(tasks), {
    name: 'find-segments',
    text: segmentsSql,
    valuesOf: (some) => refValues(tasks, some),
  });
  return rows;
}

/** Stores a fence, after which the writer of the segment cannot store events. Returns all batches before it. */
export async function fenceSegment({ key, taskId, after }: SegmentRef): Promise<StreamedBatch[]> {
  const stream = eventStream();
  if (!stream) throw new Error('events of the task are in the event stream, but EVENTS_URL is not set');
  const subject = stream.subjectOf(key, taskId, after);
  const fence = await stream.fence(subject);
  const messages = await stream.read(subject, 0, fence);
  return messages.map(({ data }) => JSON.parse(data) as StreamedBatch);
}

/** The last message of a subject that this process has read, and the number of its last event. */
const positions = once(() => new LRUCache<string, { number: number; seq: number }>({ max: MAX_SEGMENT_POSITIONS }));

/**
 * Reads the events of a segment after `after`.
 * @throws if the stream is unavailable
 */
export async function readSegment(segment: SegmentRef, after: number): Promise<StoredEvent[]> {
  const stream = eventStream();
  if (!stream) throw new Error('EVENTS_URL is not set');
  const subject = stream.subjectOf(segment.key, segment.taskId, segment.after);
  const known = positions().get(subject);
  const messages = await stream.read(subject, known && known.seq <= after ? known.number : 0);
  const events = messages.flatMap(({ data }) => numbered(JSON.parse(data) as StreamedBatch));
  const [number, seq] = [messages.at(-1)?.number, events.at(-1)?.seq];
  if (number !== undefined && seq !== undefined) positions().set(subject, { number, seq });
  return events.filter((event) => event.seq > after);
}
