import { nodeId, publish } from '../../platform/bus';
import { row, uuid } from '../../platform/db/rows';

/** An accepted run, identified by its worker. */
export interface AcceptedRun {
  taskId: string;
  turnSeq: number;
  agentId: string;
  workerId: string;
  epoch: number;
}

const taskIdRow = row({ taskId: uuid() });

/**
 * Moves accepted runs to this node; their previous nodes can no longer append events. A run that has ended, or was
 * offered again, is unchanged.
 */
export async function takeOverRuns(runs: AcceptedRun[]): Promise<void> {
  const moved = await taskIdRow.query(
    'take-over-hub-runs',
    `UPDATE task t SET run_node = $1 FROM (
       SELECT h.task_id FROM hub_run h
       JOIN unnest($2::uuid[], $3::int[], $4::text[], $5::uuid[], $6::int[]) AS r(task_id, turn_seq, agent_id, worker_id, epoch)
         USING (task_id, turn_seq, agent_id, worker_id, epoch) WHERE h.state = 'accepted'
     ) r WHERE t.id = r.task_id AND t.run_node IS NOT NULL RETURNING t.id AS "taskId"`,
    [
      nodeId(),
      runs.map(({ taskId }) => taskId),
      runs.map(({ turnSeq }) => turnSeq),
      runs.map(({ agentId }) => agentId),
      runs.map(({ workerId }) => workerId),
      runs.map(({ epoch }) => epoch),
    ],
  );
  await Promise.all(moved.map(({ taskId }) => publish('task', taskId)));
}

/** The tasks among these that this node runs. */
export async function selectOwnTasks(taskIds: string[]): Promise<string[]> {
  const statement = 'SELECT id AS "taskId" FROM task WHERE id = ANY($1::uuid[]) AND run_node = $2';
  return (await taskIdRow.query('own-tasks', statement, [taskIds, nodeId()])).map(({ taskId }) => taskId);
}
