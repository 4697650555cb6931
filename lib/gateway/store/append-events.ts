import { noticeOf, publishHere } from '../../platform/bus';
import { isUniqueViolation } from '../../platform/db';
import { createGroupCommit } from '../../platform/group-commit';
import { shared } from '../../platform/registry';
import { query, queryByKeys } from '../../platform/sql';
import { parametersOf, rowsSql } from '../../platform/sql-rows';
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
  /** When they were heard; events of one commit are kept as of the latest. */
  at: Date;
  /** Runs after the commit and before anyone is woken. */
  committed?: () => void;
}

const columns = {
  id: 'uuid',
  after: 'int',
  last: 'int',
  state: 'text',
  state_at: 'timestamptz',
  run_node: 'text',
  upstream: 'text',
  credential: 'text',
  client: 'text',
  held: 'text',
};

// One statement, one commit for a whole batch; the events and the notice stand behind the columns. The update is a compare-and-set on last_seq and, for runs, on the node that
// holds the run: a writer that was overtaken (another node, a cancel) changes nothing and is told so. The events come as lines of JSON, which never holds a line break
// of its own: escaping them as an array of texts would cost more than everything else here. Whose task was overtaken is looked up in a
// hash (the coalesce keeps it from becoming a join): these connections join by loops alone, tasks times events of them.
const statementOf = ({ many = false, keyed = '' }): string => `
WITH want AS (
  ${rowsSql(columns, many)}
), done AS (
  UPDATE task t SET last_seq = w.last, state = coalesce(w.state, t.state), state_at = coalesce(w.state_at, t.state_at),
    run_node = w.run_node, upstream_task_id = coalesce(w.upstream, t.upstream_task_id),
    credential_id = coalesce(w.credential, t.credential_id), client_id = coalesce(w.client, t.client_id)
  FROM want w WHERE t.id = w.id AND t.last_seq = w.after AND (w.held IS NULL OR t.run_node = w.held) RETURNING t.id
), stored AS (
  INSERT INTO task_event (task_id, seq, payload, at)
  SELECT e.id, e.seq, e.payload::json, $14
  FROM unnest($11::uuid[], $12::int[], string_to_array($13, chr(10))) AS e(id, seq, payload)
  WHERE coalesce(e.id IN (SELECT id FROM done), false)
)${keyed}
SELECT done.id, pg_notify('parley', $15 || done.id) FROM done`;

const toMany = statementOf({ many: true });
const toOne = statementOf({});
const toOneUnderKey = statementOf({
  keyed: `, keyed AS (
  INSERT INTO send_key (principal, agent_id, key, body_hash, task_id, created_at) SELECT $16, $17, $18, $19, id, $14 FROM done
)`,
});

/**
 * Appends events to a task's story; on disk when the promise resolves (group commit over all tasks of the process).
 * Answers false when the task no longer stands at `after`: somebody else wrote, and this writer must stop.
 */
export function appendEvents(append: Append): Promise<boolean> {
  return shared('append-events', () => createGroupCommit(flush, 500))(append);
}

/**
 * Appends the message of a send, and takes the key that makes a repeated send the same one, in a commit of their own. Answers
 * false, with nothing written, also when the key was taken.
 */
export async function appendUnderKey(
  append: Append,
  key: { principal: string; agentId: string; key: string; bodyHash: string },
): Promise<boolean> {
  const values = [...valuesOf([append]), key.principal, key.agentId, key.key, key.bodyHash];
  try {
    const rows = await queryByKeys('append-under-key', toOneUnderKey, values);
    if (rows.length > 0) publishHere('task', append.taskId);
    return rows.length > 0;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

async function flush(batch: Append[]): Promise<boolean[]> {
  const first = new Map<string, Append>();
  for (const append of batch) if (!first.has(append.taskId)) first.set(append.taskId, append);
  const chosen = [...first.values()];
  const many = chosen.length > 1;
  const rows = await queryByKeys<{ id: string }>(
    many ? 'append-to-tasks' : 'append-to-task',
    many ? toMany : toOne,
    valuesOf(chosen),
  );
  const done = new Set(rows.map(({ id }) => id));
  for (const id of done) {
    first.get(id)?.committed?.();
    publishHere('task', id);
  }
  // A second append to the same task within one batch stands behind the first: it was overtaken.
  return batch.map((append) => first.get(append.taskId) === append && done.has(append.taskId));
}

function valuesOf(batch: Append[]): unknown[] {
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
  const at = batch.at(-1)?.at.toISOString();
  return [...parametersOf(batch.map(rowOf)), `{${ids}}`, `{${seqs}}`, lines.join('\n'), at, noticeOf('task', '')];
}

/** In the order of `columns`. */
function rowOf({ taskId, after, events, runNode, heldBy, upstreamTaskId, caller }: Append): (string | number | null)[] {
  const status = events.map(statusOf).findLast((found) => found !== null);
  return [
    taskId,
    after,
    after + events.length,
    status?.state ?? null,
    status?.timestamp ?? null,
    runNode,
    upstreamTaskId ?? null,
    caller?.credentialId ?? null,
    caller?.clientId ?? null,
    heldBy ?? null,
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
