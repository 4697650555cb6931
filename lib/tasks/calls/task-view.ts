import type { ChangesRequest, Task, TaskChanges } from '../../protocol/a2a/core/model';
import { addChange, changesOf } from '../../protocol/a2a/core/task-changes';
import { MAX_TIMELINE_LENGTH } from '../limits';
import type { StreamItem, TaskStream } from '../log/open-stream';
import type { StoredEvent, TaskRecord } from '../store/records';
import { loadTask } from '../store/task-events';

/** The part of a task that the caller requests. */
export interface TaskView {
  /** Maximum messages of the history, the last ones; undefined for all (A2A 1.0 §3.2.4). */
  historyLength?: number;
  changes?: ChangesRequest;
}

/** Returns the task with at most the requested history, and with its changes if they are requested. */
export function viewOf(loaded: { task: Task; events: readonly StoredEvent[] }, view: TaskView): Task {
  const task = limitHistory(loaded.task, view.historyLength);
  return view.changes ? { ...task, changes: limitTimeline(changesOf(loaded.events), view.changes) } : task;
}

/** Returns the task with at most the last `length` messages of its history. Undefined means all (A2A 1.0 §3.2.4). */
export function limitHistory(task: Task, length: number | undefined): Task {
  if (length === undefined) return task;
  return { ...task, history: length === 0 ? [] : task.history.slice(-length) };
}

function limitTimeline(changes: TaskChanges, { timelineLength }: ChangesRequest): TaskChanges {
  const length = Math.min(timelineLength ?? MAX_TIMELINE_LENGTH, MAX_TIMELINE_LENGTH);
  const { timeline, artifacts, elicitations } = changes;
  // Copied, because the changes of a stream continue.
  return {
    ...changes,
    timeline: length === 0 ? [] : timeline.slice(-length),
    artifacts: new Map(artifacts),
    elicitations: new Map(elicitations),
  };
}

/**
 * Returns the stream with the changes of the task: its snapshot has all of them, and each status the requests for input
 * that changed with it. Returns the stream itself if they are not requested.
 */
export function withChanges(stream: TaskStream, record: TaskRecord, view: TaskView): TaskStream {
  return view.changes ? { ...stream, batches: addChanges(stream.batches, record, view.changes) } : stream;
}

async function* addChanges(
  batches: AsyncGenerator<StreamItem[]>,
  record: TaskRecord,
  request: ChangesRequest,
): AsyncGenerator<StreamItem[]> {
  let changes: TaskChanges | null = null;
  for await (const batch of batches) {
    const [first] = batch;
    if (!first) continue;
    changes ??= await changesBefore(record, first);
    const known: TaskChanges = changes;
    yield batch.map((item) =>
      'task' in item
        ? { ...item, task: { ...item.task, changes: limitTimeline(known, request) } }
        : { ...item, event: addChange(known, item.seq, item.event) },
    );
  }
}

/** Returns the changes up to a snapshot, or before an event. */
async function changesBefore(record: TaskRecord, item: StreamItem): Promise<TaskChanges> {
  const last = 'task' in item ? item.seq : item.seq - 1;
  return changesOf((await loadTask(record)).events.filter(({ seq }) => seq <= last));
}
