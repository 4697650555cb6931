import { nodeId, nodeIsDeadSql } from '../../platform/bus';
import { execute } from '../../platform/db/sql';
import { selectDue } from '../../platform/runtime/activity';
import { queryTasks, type TaskRecord, taskColumns } from './records';

/**
 * Claims at most `limit` runs of dead nodes for this node. Exactly one node claims a run: checking a dead node holds
 * its lock until the claim is written. The check is repeated in the update, because a node that was wrongly considered
 * dead may have finished the run.
 */
export async function claimOrphanedRuns(limit: number): Promise<TaskRecord[]> {
  return queryTasks(
    'claim-runs',
    `WITH others AS MATERIALIZED (
       SELECT DISTINCT run_node AS node FROM task WHERE run_node IS NOT NULL AND run_node <> $1
     ), gone AS MATERIALIZED (SELECT node FROM others WHERE ${nodeIsDeadSql('node')})
     UPDATE task t SET run_node = $1
     WHERE t.id IN (SELECT o.id FROM task o JOIN gone ON gone.node = o.run_node LIMIT $2)
       AND t.run_node IN (SELECT node FROM gone)
     RETURNING ${taskColumns}`,
    [nodeId(), limit],
  );
}

/** The current time if any other node runs a task; null otherwise. */
export function nextOrphanLook(): Promise<Date | null> {
  const statement = 'SELECT now() AS due FROM task WHERE run_node IS NOT NULL AND run_node <> $1 LIMIT 1';
  return selectDue('next-orphan-look', statement, [nodeId()]);
}

/** Runs of this node that have been idle for at least `idleMs`; younger ones may still be starting. */
export async function findStalledRuns(idleMs: number): Promise<TaskRecord[]> {
  return queryTasks(
    'stalled-runs',
    `SELECT ${taskColumns} FROM task t WHERE t.run_node = $1 AND t.state_at < now() - make_interval(secs => $2)`,
    [nodeId(), idleMs / 1_000],
  );
}

/** An id that no node has, so its lock is free: any node claims these runs ({@link claimOrphanedRuns}). */
const releasedNodeId = 'released';

/** Releases runs that this node owns and no longer executes. */
export async function releaseRuns(taskIds: string[]): Promise<void> {
  await execute('release-runs', 'UPDATE task SET run_node = $1 WHERE id = ANY($2::uuid[]) AND run_node = $3', [
    releasedNodeId,
    taskIds,
    nodeId(),
  ]);
}
