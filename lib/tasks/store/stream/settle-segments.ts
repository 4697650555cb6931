import { publish } from '../../../platform/bus';
import { ofOwner } from '../../../platform/db/task-databases/task-statements';
import { eventStream } from '../../../platform/event-stream/event-stream';
import { log } from '../../../platform/runtime/log';
import { appendEvents } from '../append-events';
import type { TaskRecord, TaskRef } from '../records';
import {
  fenceSegment,
  findOwnSegment,
  findSegment,
  findSegments,
  type SegmentRef,
  type StreamedBatch,
} from './segments';

/**
 * Writes the events of these tasks that only the stream has to PostgreSQL, and prevents that further ones are stored in
 * the stream by their current turns. Must be called before any other writer than the run appends to a task, and by a
 * node that takes over a run.
 * @throws if the stream is unavailable
 */
export async function settleSegments(tasks: readonly TaskRef[]): Promise<void> {
  if (tasks.length === 0 || !eventStream()) return;
  await Promise.all((await findSegments(tasks)).map(settle));
}

/**
 * Like {@link settleSegments}, for a run that this node takes over.
 * @throws also if EVENTS_URL is not set, but the stream may have events of the task
 */
export async function settleRun({
  principal,
  id,
  streamKey,
}: Pick<TaskRecord, 'principal' | 'id' | 'streamKey'>): Promise<void> {
  const segment = streamKey === null ? null : await findSegment({ principal, id });
  if (segment) await settle(segment);
}

async function settle(first: SegmentRef): Promise<void> {
  const task = { principal: first.principal, id: first.taskId };
  for (let segment: SegmentRef | null = first; segment; segment = await findSegment(task)) {
    const own = findOwnSegment(segment.taskId);
    if (own) await own.leave();
    else await store(segment, await fenceSegment(segment));
  }
}

/** Changes nothing if the writer of the segment or another node has stored its events meanwhile. */
async function store(segment: SegmentRef, batches: StreamedBatch[]): Promise<void> {
  const { principal, taskId, after, runNode } = segment;
  const last = batches.at(-1);
  if (!last || !runNode) return clearSegment(segment);
  const upstream = batches.findLast(({ upstreamTaskId }) => upstreamTaskId !== undefined);
  const isStored = await appendEvents({
    principal,
    taskId,
    after,
    events: batches.flatMap(({ events }) => events),
    runNode,
    expectedOwner: runNode,
    upstreamTaskId: upstream?.upstreamTaskId,
    upstreamContextId: upstream?.upstreamContextId,
    hub: last.hub,
    at: new Date(last.at),
  });
  if (isStored) log.info('events.segment_settled', { taskId, batches: batches.length });
}

/** Records that the stream has no events of the task that PostgreSQL lacks. */
export async function clearSegment({
  principal,
  taskId,
  after,
}: Pick<SegmentRef, 'principal' | 'taskId' | 'after'>): Promise<void> {
  if (!eventStream()) return;
  const statement = 'UPDATE task SET stream_key = NULL WHERE principal = $3 AND id = $1 AND last_seq = $2';
  await ofOwner(principal).execute('clear-segment', statement, [taskId, after, principal]);
  await publish('task', taskId);
}
