import { noticeOf, publishHere } from '../../platform/bus';
import { createGroupCommit } from '../../platform/group-commit';
import { shared } from '../../platform/registry';
import { query } from '../../platform/sql';
import { statusOf, type TaskEvent } from '../../protocol/a2a/core/events';

export interface Append {
  taskId: string;
  /** Sequence number the task must stand at; the events follow it. */
  after: number;
  events: TaskEvent[];
  /** Who runs the task from now on; null when the turn is over. */
  runNode: string | null;
  /** The node that must still hold the run; absent for writers who are not runs (a cancel, a follow-up). */
  heldBy?: string;
  upstreamTaskId?: string;
  /** Set by a send that continues the task. */
  caller?: { credentialId: string; clientId: string };
  at: Date;
  /** Runs after the commit and before anyone is woken. */
  committed?: () => void;
}

// One statement, one commit for a whole batch. The update is a compare-and-set on last_seq and, for runs, on the node that
// holds the run: a writer that was overtaken (another node, a cancel) changes nothing and is told so. The events come as lines of JSON, which never holds a line break
// of its own: escaping them as an array of texts would cost more than everything else here.
const statement = `
WITH want AS (
  SELECT * FROM unnest($1::uuid[], $2::int[], $3::int[], $4::text[], $5::timestamptz[], $6::text[], $7::text[], $8::text[], $9::text[], $10::timestamptz[], $15::text[])
    AS w(id, after, last, state, state_at, run_node, upstream, credential, client, at, held)
), done AS (
  UPDATE task t SET last_seq = w.last, state = coalesce(w.state, t.state), state_at = coalesce(w.state_at, t.state_at),
    run_node = w.run_node, upstream_task_id = coalesce(w.upstream, t.upstream_task_id),
    credential_id = coalesce(w.credential, t.credential_id), client_id = coalesce(w.client, t.client_id)
  FROM want w WHERE t.id = w.id AND t.last_seq = w.after AND (w.held IS NULL OR t.run_node = w.held) RETURNING t.id, w.at
), stored AS (
  INSERT INTO task_event (task_id, seq, payload, at)
  SELECT e.id, e.seq, e.payload::json, done.at
  FROM unnest($11::uuid[], $12::int[], string_to_array($13, chr(10))) AS e(id, seq, payload) JOIN done ON done.id = e.id
)
SELECT done.id, pg_notify('parley', $14 || done.id) FROM done`;

/**
 * Appends events to a task's story; on disk when the promise resolves (group commit over all tasks of the process).
 * Answers false when the task no longer stands at `after`: somebody else wrote, and this writer must stop.
 */
export function appendEvents(append: Append): Promise<boolean> {
  return shared('append-events', () => createGroupCommit(flush, 500))(append);
}

async function flush(batch: Append[]): Promise<boolean[]> {
  const first = new Map<string, Append>();
  for (const append of batch) if (!first.has(append.taskId)) first.set(append.taskId, append);
  const chosen = [...first.values()];
  const rows = await query<{ id: string }>('append-events', statement, valuesOf(chosen));
  const done = new Set(rows.map(({ id }) => id));
  for (const id of done) {
    first.get(id)?.committed?.();
    publishHere('task', id);
  }
  // A second append to the same task within one batch stands behind the first: it was overtaken.
  return batch.map((append) => first.get(append.taskId) === append && done.has(append.taskId));
}

function valuesOf(batch: Append[]): unknown[] {
  const statuses = batch.map(({ events }) => events.map(statusOf).findLast((status) => status !== null));
  const ids: string[] = [];
  const seqs: number[] = [];
  const lines: string[] = [];
  for (const { taskId, after, events } of batch) {
    for (let index = 0; index < events.length; index++) {
      ids.push(taskId);
      seqs.push(after + index + 1);
      lines.push(JSON.stringify(events[index]));
    }
  }
  return [
    batch.map(({ taskId }) => taskId),
    batch.map(({ after }) => after),
    batch.map(({ after, events: list }) => after + list.length),
    statuses.map((status) => status?.state ?? null),
    statuses.map((status) => status?.timestamp ?? null),
    batch.map(({ runNode }) => runNode),
    batch.map(({ upstreamTaskId }) => upstreamTaskId ?? null),
    batch.map(({ caller }) => caller?.credentialId ?? null),
    batch.map(({ caller }) => caller?.clientId ?? null),
    batch.map(({ at }) => at),
    `{${ids}}`,
    `{${seqs}}`,
    lines.join('\n'),
    noticeOf('task', ''),
    batch.map(({ heldBy }) => heldBy ?? null),
  ];
}

/**
 * Whether an append whose answer was lost with the connection is on disk: the task stands behind its events, and the first
 * of them is the very text that it wrote.
 */
export async function wasAppended({ taskId, after, events }: Append): Promise<boolean> {
  const rows = await query<{ payload: string }>(
    'was-appended',
    `SELECT e.payload::text AS payload FROM task_event e JOIN task t ON t.id = e.task_id
     WHERE e.task_id = $1 AND e.seq = $2 AND t.last_seq >= $3`,
    [taskId, after + 1, after + events.length],
  );
  return rows[0]?.payload === JSON.stringify(events[0]);
}
