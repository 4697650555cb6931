import { nodeId, nodeIsDeadSql, publish } from '../../platform/bus';
import type { Statement, TextRow } from '../../platform/db/pipelined-statements';
import { row, text, uuid } from '../../platform/db/rows';
import { type Columns, encodeParams, selectUnnest } from '../../platform/db/sql';
import { notFencedSql } from '../../platform/db/task-databases/leaving-owners';
import { inAvailableTaskDatabases } from '../../platform/db/task-databases/task-statements';
import { selectTaskDue } from '../../platform/runtime/activity';
import { MAX_NOTIFY_KEYS } from '../limits';
import { type TaskRecord, type TaskRef, taskColumns, taskRow, toTaskRecords } from './records';
import { batchedWriter } from './task-events';

/**
 * Claims at most `limit` runs of dead nodes in each task database for this node. Exactly one node claims a run, because the check of a dead
 * node holds its lock until the claim is written. The check is repeated in the update, because a node that was wrongly
 * considered dead may have finished the run.
 */
export async function claimOrphanedRuns(limit: number): Promise<TaskRecord[]> {
  return toTaskRecords(
    taskRow.inAvailable().query(
      'claim-runs',
      `WITH others AS MATERIALIZED (
       SELECT DISTINCT run_node AS node FROM task WHERE run_node IS NOT NULL AND run_node <> $1
     ), gone AS MATERIALIZED (SELECT node FROM others WHERE ${nodeIsDeadSql('node')})
     UPDATE task t SET run_node = $1
     WHERE (t.principal, t.id) IN (
         SELECT o.principal, o.id FROM task o JOIN gone ON gone.node = o.run_node WHERE ${notFencedSql('o.principal')} LIMIT $2
       )
       AND t.run_node IN (SELECT node FROM gone)
     RETURNING ${taskColumns}`,
      [nodeId(), limit],
    ),
  );
}

/** Returns the current time if any other node runs a task; otherwise null. */
export function nextOrphanLook(): Promise<Date | null> {
  const statement = 'SELECT now() AS due FROM task WHERE run_node IS NOT NULL AND run_node <> $1 LIMIT 1';
  return selectTaskDue('next-orphan-look', statement, [nodeId()]);
}

/** Finds runs of this node that have been idle for at least `idleMs`. More recent ones may still be starting. */
export async function findStalledRuns(idleMs: number): Promise<TaskRecord[]> {
  return toTaskRecords(
    taskRow
      .inAvailable()
      .query(
        'stalled-runs',
        `SELECT ${taskColumns} FROM task t WHERE t.run_node = $1 AND t.state_at < now() - make_interval(secs => $2)`,
        [nodeId(), idleMs / 1_000],
      ),
  );
}

/** An id that no node has. Its lock is therefore free, and any node claims these runs ({@link claimOrphanedRuns}). */
const releasedNodeId = 'released';

/** Releases runs that this node owns and no longer executes. */
export async function releaseRuns(taskIds: string[]): Promise<void> {
  const statement = 'UPDATE task SET run_node = $1 WHERE id = ANY($2::uuid[]) AND run_node = $3';
  await inAvailableTaskDatabases.execute('release-runs', statement, [releasedNodeId, taskIds, nodeId()]);
}

/** A worker's acceptance of its offer. */
interface Acceptance {
  principal: string;
  taskId: string;
  epoch: number;
  workerId: string;
  /** True if the worker declared that a lost run may be started again. */
  redelivers: boolean;
  /** The task's last sequence number, and the key of a segment of the event stream that begins after it. */
  lastSeq: number;
  streamKey: string | undefined;
}

/** The result of an acceptance: null if the run has been offered again since. */
type Accepted = { hasSegment: boolean } | null;

const columns: Columns = { principal: 'text', id: 'uuid', epoch: 'int', worker: 'uuid', redelivers: 'text' };

const acceptSql = (many: boolean): string => `
  UPDATE hub_run h SET state = 'accepted', worker_id = w.worker, redelivers = w.redelivers::boolean
  FROM (${selectUnnest(columns, many)}) w WHERE h.principal = w.principal AND h.task_id = w.id AND h.epoch = w.epoch AND h.state = 'offered'
  RETURNING h.task_id`;
const acceptOneSql = acceptSql(false);
const acceptManySql = acceptSql(true);

const streamColumns: Columns = { ...columns, last: 'int', stream: 'text', node: 'text' };

/** Also begins a segment, as an append does. */
const acceptWithSegmentsSql = (many: boolean): string => `
  WITH w AS (${selectUnnest(streamColumns, many)}), accepted AS (
    UPDATE hub_run h SET state = 'accepted', worker_id = w.worker, redelivers = w.redelivers::boolean
    FROM w WHERE h.principal = w.principal AND h.task_id = w.id AND h.epoch = w.epoch AND h.state = 'offered'
    RETURNING h.principal, h.task_id
  ), opened AS (
    UPDATE task t SET stream_key = w.stream FROM accepted a JOIN w ON w.id = a.task_id
    WHERE t.principal = w.principal AND t.id = w.id AND w.stream IS NOT NULL AND t.last_seq = w.last AND t.run_node = w.node AND t.stream_key IS NULL
      AND NOT EXISTS (SELECT FROM push_config p WHERE p.principal = t.principal AND p.task_id = t.id) RETURNING t.id
  ) SELECT a.task_id, o.id FROM accepted a LEFT JOIN opened o ON o.id = a.task_id`;
const acceptOneWithSegmentSql = acceptWithSegmentsSql(false);
const acceptManyWithSegmentsSql = acceptWithSegmentsSql(true);

/**
 * Records that a worker accepted its offer, in one commit with other writes of the process. Null if the run has been
 * offered again since.
 */
export const acceptRun = batchedWriter({ order: 3, maxBatch: MAX_NOTIFY_KEYS, statementsOf, resultsOf });

function statementsOf(batch: Acceptance[]): [Statement] {
  if (batch.some(({ streamKey }) => streamKey !== undefined)) return [segmentStatementOf(batch)];
  const rows = batch.map(({ principal, taskId, epoch, workerId, redelivers }) => [
    principal,
    taskId,
    epoch,
    workerId,
    String(redelivers),
  ]);
  const values = encodeParams(columns, rows);
  return [
    batch.length > 1
      ? { name: 'accept-hub-runs', text: acceptManySql, values }
      : { name: 'accept-hub-run', text: acceptOneSql, values },
  ];
}

function segmentStatementOf(batch: Acceptance[]): Statement {
  const rows = batch.map(({ principal, taskId, epoch, workerId, redelivers, lastSeq, streamKey }) => [
    principal,
    taskId,
    epoch,
    workerId,
    String(redelivers),
    lastSeq,
    streamKey ?? null,
    nodeId(),
  ]);
  const values = encodeParams(streamColumns, rows);
  return batch.length > 1
    ? { name: 'accept-hub-runs-with-segments', text: acceptManyWithSegmentsSql, values }
    : { name: 'accept-hub-run-with-segment', text: acceptOneWithSegmentSql, values };
}

function resultsOf(batch: Acceptance[], rows: TextRow[]): Accepted[] {
  const accepted = new Map(rows.map(([id, opened]) => [id, { hasSegment: Boolean(opened) }]));
  return batch.map(({ taskId }) => accepted.get(taskId) ?? null);
}

/** An accepted run, identified by its worker. */
export interface AcceptedRun {
  taskId: string;
  turnSeq: number;
  agentId: string;
  workerId: string;
  epoch: number;
}

const taskIdRow = row({ taskId: uuid() });
const movedRow = row({ principal: text(), id: uuid() });

/**
 * Moves accepted runs to this node, so that their previous nodes can no longer append events, and returns their tasks. A
 * run that has ended or was offered again is unchanged.
 */
export async function takeOverRuns(runs: AcceptedRun[]): Promise<TaskRef[]> {
  const moved = await movedRow.inAvailable().query(
    'take-over-hub-runs',
    `UPDATE task t SET run_node = $1 FROM (
       SELECT h.principal, h.task_id
       FROM unnest($2::uuid[], $3::int[], $4::text[], $5::uuid[], $6::int[]) AS r(task_id, turn_seq, agent_id, worker_id, epoch)
       JOIN task o ON o.id = r.task_id JOIN hub_run h ON h.principal = o.principal AND h.task_id = o.id
         AND (h.turn_seq, h.agent_id, h.worker_id, h.epoch) = (r.turn_seq, r.agent_id, r.worker_id, r.epoch)
       WHERE h.state = 'accepted'
     ) r WHERE t.principal = r.principal AND t.id = r.task_id AND t.run_node IS NOT NULL RETURNING t.principal, t.id`,
    [
      nodeId(),
      runs.map(({ taskId }) => taskId),
      runs.map(({ turnSeq }) => turnSeq),
      runs.map(({ agentId }) => agentId),
      runs.map(({ workerId }) => workerId),
      runs.map(({ epoch }) => epoch),
    ],
  );
  await Promise.all(moved.map(({ id }) => publish('task', id)));
  return moved;
}

/** Selects those of these tasks that this node runs. */
export async function selectOwnTasks(taskIds: string[]): Promise<string[]> {
  const statement = 'SELECT id AS "taskId" FROM task WHERE id = ANY($1::uuid[]) AND run_node = $2';
  return (await taskIdRow.inAvailable().query('own-tasks', statement, [taskIds, nodeId()])).map(({ taskId }) => taskId);
}
