import { int4, row, uuid } from '../../platform/db/rows';

const seqRow = row({ taskId: uuid(), seq: int4() });
const idRow = row({ taskId: uuid() });

/** The last sequence number of each of these tasks. */
export async function findLastSeqs(taskIds: string[]): Promise<Map<string, number>> {
  const statement = 'SELECT id AS "taskId", last_seq AS seq FROM task WHERE id = ANY($1::uuid[])';
  const rows = await seqRow.query('find-last-seqs', statement, [taskIds]);
  return new Map(rows.map(({ taskId, seq }) => [taskId, seq]));
}

/** The subset of these tasks whose run no worker has begun. */
export async function selectQueuedTasks(taskIds: string[]): Promise<Set<string>> {
  const statement = `SELECT task_id AS "taskId" FROM hub_run
    WHERE task_id = ANY($1::uuid[]) AND state IN ('waiting', 'offered')`;
  return new Set((await idRow.query('select-queued-tasks', statement, [taskIds])).map(({ taskId }) => taskId));
}
