import { query } from '../../platform/sql';
import type { TaskEvent } from '../../protocol/a2a/core/events';
import { foldTask } from '../../protocol/a2a/core/events';
import type { Task } from '../../protocol/a2a/core/model';
import type { StoredEvent, TaskRecord } from './records';

/** Rows that are read at once; each holds what was written at once, at least one event. */
const pageSize = 500;

/** The task's next events after `after`, in order, at least 500 while there are as many; from its story where it is packed. */
export async function readEvents(taskId: string, after: number): Promise<StoredEvent[]> {
  // Entries of a story come whole: the database takes texts as they are, and refuses some of them when it has to look inside.
  const rows = await query<{ seq: number; payload: TaskEvent[] | TaskEvent | null; entry: [TaskEvent] | null }>(
    'read-events',
    `SELECT seq, payload, NULL::json AS entry FROM task_event WHERE task_id = $1 AND seq > $2
     UNION ALL
     SELECT told.at::int, NULL, told.entry FROM task_story s, json_array_elements(s.events) WITH ORDINALITY AS told(entry, at)
     WHERE s.task_id = $1 AND told.at > $2
     ORDER BY seq LIMIT $3`,
    [taskId, after, pageSize],
  );
  return rows.flatMap(({ seq, payload, entry }) => {
    const payloads = payload ?? (entry?.[0] as TaskEvent);
    return withSeq(Array.isArray(payloads) ? payloads : [payloads], seq, after);
  });
}

/** What was written at once, of which the last is `seq`: the events after `after`, where a reader may have stopped halfway. */
function withSeq(events: TaskEvent[], seq: number, after: number): StoredEvent[] {
  const before = seq - events.length;
  return events.map((event, index) => ({ seq: before + index + 1, event })).slice(Math.max(0, after - before));
}

/** The task folded from its whole story, and the sequence number it stands at. */
export async function loadTask(record: TaskRecord): Promise<{ task: Task; seq: number; events: StoredEvent[] }> {
  const events: StoredEvent[] = [];
  for (;;) {
    const page = await readEvents(record.id, events.at(-1)?.seq ?? 0);
    events.push(...page);
    if (page.length < pageSize) break;
  }
  const identity = { id: record.id, contextId: record.contextId, createdAt: record.createdAt.toISOString() };
  return {
    task: foldTask(
      identity,
      events.map(({ event }) => event),
    ),
    seq: events.at(-1)?.seq ?? 0,
    events,
  };
}
