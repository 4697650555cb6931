import { nodeId, publish } from '../../platform/bus';
import { bool, int4, int8, json, nullable, type RowOf, row, text, uuid } from '../../platform/db/rows';
import { notFencedSql } from '../../platform/db/task-databases/leaving-owners';
import { inAvailableTaskDatabases, ofOwner } from '../../platform/db/task-databases/task-statements';
import { selectTaskDue } from '../../platform/runtime/activity';
import type { JsonObject } from '../../protocol/json';
import { queueRow, sumQueues } from './queue-sums';
import {
  principalsOf,
  refsSql,
  refValues,
  type TaskRecord,
  type TaskRef,
  taskColumns,
  taskRow,
  toTaskRecord,
} from './records';

/** A run for an agent that connects to Parley. A send writes it in the task's own commit. */
export interface NewHubRun {
  agentId: string;
  /** The task's sequence number at the start of the turn. */
  turnSeq: number;
  /** An A2A 1.0 SendMessageRequest. */
  request: JsonObject;
  /** The time at which the turn fails if no worker has accepted it. */
  dueAt: Date;
  /** The epoch of the offer that this node makes immediately; 0 for a run that waits to be claimed. */
  epoch: number;
}

/** The change that an append makes to the run of its task. */
export type HubRunChange = { start: NewHubRun } | { epoch: number; seen: number } | { end: true };

/**
 * Returns SQL for the state in which a run is written. If a row from an earlier turn still exists, the run waits, and
 * its offer cannot be accepted.
 */
export const startStateSql = (epoch: string): string => `CASE ${epoch} WHEN 0 THEN 'waiting' ELSE 'offered' END`;

/**
 * Returns the CTEs that apply a {@link HubRunChange}, the JSON column `hub` of the CTE `done`. `at` is the time
 * parameter.
 */
export function hubChangesSql(at: string): string {
  return `hub_started AS (
  INSERT INTO hub_run (principal, task_id, turn_seq, agent_id, state, epoch, request, due_at, created_at)
  SELECT d.principal, d.id, s.turn_seq, s.agent_id, ${startStateSql('s.epoch')}, s.epoch, s.request, s.due_at, ${at}
  FROM done d, LATERAL (SELECT (d.hub->'start'->>'turnSeq')::int AS turn_seq, d.hub->'start'->>'agentId' AS agent_id,
    (d.hub->'start'->>'epoch')::int AS epoch, d.hub->'start'->'request' AS request,
    (d.hub->'start'->>'dueAt')::timestamptz AS due_at) s WHERE d.hub->'start' IS NOT NULL
  ON CONFLICT ON CONSTRAINT hub_run_pkey DO UPDATE SET turn_seq = excluded.turn_seq, state = 'waiting', worker_id = NULL, attempt = 1,
    seen = 0, request = excluded.request, due_at = excluded.due_at, created_at = excluded.created_at
), hub_seen AS (
  UPDATE hub_run h SET seen = (d.hub->>'seen')::int FROM done d
  WHERE h.principal = d.principal AND h.task_id = d.id AND d.hub->>'seen' IS NOT NULL AND h.epoch = (d.hub->>'epoch')::int
), hub_ended AS (
  DELETE FROM hub_run h USING done d
  WHERE h.principal = d.principal AND h.task_id = d.id AND d.hub->>'end' IS NOT NULL
)`;
}

const claimRow = row({
  principal: text(),
  taskId: uuid(),
  turnSeq: int4(),
  agentId: text(),
  contextId: text(),
  epoch: int4(),
});

/** A run that this node has claimed. */
export type ClaimedRun = RowOf<typeof claimRow>;

/**
 * Returns SQL that claims the runs that `picked` selects: they receive a new epoch, and this node runs the task.
 * Canceled tasks are omitted.
 */
const claimSql = (picked: string): string => `
  WITH picked AS (${picked} FOR UPDATE SKIP LOCKED), claimed AS (
    UPDATE hub_run h SET state = 'offered', epoch = h.epoch + 1 FROM picked p
    WHERE h.principal = p.principal AND h.task_id = p.task_id
    RETURNING h.principal, h.task_id, h.turn_seq, h.agent_id, h.epoch
  )
  UPDATE task t SET run_node = $1 FROM claimed c
  WHERE t.principal = c.principal AND t.id = c.task_id AND t.run_node IS NOT NULL
  RETURNING t.principal, c.task_id AS "taskId", c.turn_seq AS "turnSeq", c.agent_id AS "agentId", t.context_id AS "contextId", c.epoch`;

/** Claims at most `limit` waiting runs of an agent in each task database, oldest first. Each is claimed by one node. */
export function claimRuns(agentId: string, limit: number): Promise<ClaimedRun[]> {
  const picked = `SELECT principal, task_id FROM hub_run WHERE state = 'waiting' AND agent_id = $2 AND due_at > now()
    AND ${notFencedSql('principal')} ORDER BY created_at LIMIT $3`;
  return claimRow.inAvailable().query('claim-hub-runs', claimSql(picked), [nodeId(), agentId, limit]);
}

/** Claims runs that no worker has accepted in time, in order to end them: at most `limit` in each task database. */
export function claimExpiredRuns(limit: number): Promise<ClaimedRun[]> {
  const picked = `SELECT principal, task_id FROM hub_run WHERE state = 'waiting' AND due_at <= now()
    AND ${notFencedSql('principal')} ORDER BY due_at LIMIT $2`;
  return claimRow.inAvailable().query('claim-expired-hub-runs', claimSql(picked), [nodeId(), limit]);
}

const agentRow = row({ agentId: text() });

/** Finds those of these agents that have waiting runs. */
export async function findWaitingAgents(agentIds: string[]): Promise<string[]> {
  const rows = await agentRow
    .inAvailable()
    .query(
      'waiting-hub-agents',
      `SELECT DISTINCT agent_id AS "agentId" FROM hub_run WHERE state = 'waiting' AND agent_id = ANY($1)`,
      [agentIds],
    );
  return [...new Set(rows.map(({ agentId }) => agentId))];
}

const countRow = row({ count: int8() });

/** Counts the runs of an agent that wait for a worker. */
export async function countWaitingRuns(agentId: string): Promise<number> {
  const statement = `SELECT count(*) AS count FROM hub_run WHERE state = 'waiting' AND agent_id = $1`;
  const counts = await countRow.inAvailable().query('count-waiting-hub-runs', statement, [agentId]);
  return counts.reduce((total, { count }) => total + count, 0);
}

type RunEpoch = Pick<ClaimedRun, 'principal' | 'taskId' | 'epoch'>;

/** A run that its worker continues on another node, with the same epoch, belongs to that node. */
const isOwnRunSql = `EXISTS (SELECT 1 FROM task t
  WHERE t.principal = h.principal AND t.id = h.task_id AND t.run_node = $3)`;

/**
 * Sets a run of this node that no worker has started to the waiting state again. A run that is not in the state `from`
 * is unchanged.
 */
export async function releaseRun(
  { principal, taskId, epoch, agentId }: RunEpoch & { agentId: string },
  from: 'offered' | 'accepted' = 'offered',
): Promise<void> {
  const statement = `UPDATE hub_run h SET state = 'waiting', worker_id = NULL
    WHERE h.principal = $5 AND task_id = $1 AND epoch = $2 AND state = $4 AND seen = 0 AND ${isOwnRunSql}`;
  await ofOwner(principal).execute('release-hub-run', statement, [taskId, epoch, nodeId(), from, principal]);
  await publish('hub', agentId);
}

/**
 * Sets a run of this node whose worker died to the waiting state again, if the worker permitted this and the run had
 * fewer than `maxAttempts` attempts. Returns false otherwise.
 */
export async function redeliverRun(
  { principal, taskId, epoch, agentId }: RunEpoch & { agentId: string },
  { maxAttempts, dueAt }: { maxAttempts: number; dueAt: Date },
): Promise<boolean> {
  const statement = `UPDATE hub_run h SET state = 'waiting', worker_id = NULL, seen = 0, attempt = attempt + 1, due_at = $5
    WHERE h.principal = $6 AND task_id = $1 AND epoch = $2 AND redelivers AND attempt < $4 AND ${isOwnRunSql}`;
  const values = [taskId, epoch, nodeId(), maxAttempts, dueAt, principal];
  const waits = (await ofOwner(principal).execute('redeliver-hub-run', statement, values)) > 0;
  if (waits) await publish('hub', agentId);
  return waits;
}

/** Records the position of a run's persisted events, if they did not change the task. */
export async function saveSeen({ principal, taskId, epoch }: RunEpoch, seen: number): Promise<void> {
  const statement = 'UPDATE hub_run SET seen = $3 WHERE principal = $4 AND task_id = $1 AND epoch = $2';
  await ofOwner(principal).execute('hub-run-seen', statement, [taskId, epoch, seen, principal]);
}

const hubRunRow = row({
  ...taskRow.columns,
  turnSeq: int4(),
  runState: text<'waiting' | 'offered' | 'accepted'>(),
  workerId: nullable(uuid()),
  epoch: int4(),
  attempt: int4(),
  seen: int4(),
  redelivers: bool(),
  request: json<JsonObject>(),
});

/** A run and its task. */
export interface HubRunRecord {
  record: TaskRecord;
  turnSeq: number;
  runState: 'waiting' | 'offered' | 'accepted';
  workerId: string | null;
  epoch: number;
  attempt: number;
  /** The number of the worker's last persisted event. */
  seen: number;
  request: JsonObject;
}

/** Returns the run of a task, if this node runs it; null otherwise. */
export async function findOwnRun({ principal, id }: TaskRef): Promise<HubRunRecord | null> {
  const [found] = await hubRunRow.of(principal).query('hub-runs', ownRunsSql, [[principal], [id], nodeId()]);
  return found ? toRunRecord(found) : null;
}

/** Returns the runs of these tasks that this node runs. Leaves out those whose task database is unavailable. */
export async function findOwnRuns(tasks: TaskRef[]): Promise<HubRunRecord[]> {
  const { rows } = await hubRunRow.queryOfAvailable(principalsOf(tasks), {
    name: 'hub-runs',
    text: ownRunsSql,
    valuesOf: (some) => [...refValues(tasks, some), nodeId()],
  });
  return rows.map(toRunRecord);
}

/** Returns a task of any owner that this node runs for an agent that connects to Parley; null otherwise. */
export async function findOwnHubTask(id: string): Promise<TaskRecord | null> {
  const found = await taskRow.inAvailable().queryFirst(
    'own-hub-task',
    `SELECT ${taskColumns} FROM task t JOIN hub_run h ON h.principal = t.principal AND h.task_id = t.id
     WHERE t.id = $1 AND t.run_node = $2`,
    [id, nodeId()],
  );
  return found && toTaskRecord(found);
}

const ownRunsSql = `SELECT ${taskColumns}, h.turn_seq AS "turnSeq", h.state AS "runState", h.worker_id AS "workerId", h.epoch, h.attempt,
    h.seen, h.redelivers, h.request
  FROM ${refsSql} JOIN hub_run h ON h.principal = r.principal AND h.task_id = r.id
    JOIN task t ON t.principal = r.principal AND t.id = r.id WHERE t.run_node = $3`;

function toRunRecord({
  turnSeq,
  runState,
  workerId,
  epoch,
  attempt,
  seen,
  redelivers: _,
  request,
  ...task
}: RowOf<typeof hubRunRow>): HubRunRecord {
  return { record: toTaskRecord(task), turnSeq, runState, workerId, epoch, attempt, seen, request };
}

/** Returns the state of a task's run; null if it has ended. */
export async function findRunState({ principal, id }: TaskRef): Promise<HubRunRecord['runState'] | null> {
  const statement = 'SELECT state FROM hub_run WHERE task_id = $1 AND principal = $2';
  return (await stateRow.of(principal).queryFirst('hub-run-state', statement, [id, principal]))?.state ?? null;
}

const stateRow = row({ state: text<HubRunRecord['runState']>() });

/** Returns true if no node runs the task, because its turn has ended. */
export async function isTurnOver({ principal, id }: TaskRef): Promise<boolean> {
  const statement = 'SELECT 1 FROM task WHERE id = $1 AND principal = $2 AND run_node IS NULL';
  return (await ofOwner(principal).execute('hub-turn-over', statement, [id, principal])) > 0;
}

/** Deletes the runs of tasks whose turn another writer ended, such as a cancel. */
export async function deleteEndedRuns(): Promise<void> {
  await inAvailableTaskDatabases.execute(
    'delete-ended-hub-runs',
    'DELETE FROM hub_run h USING task t WHERE t.principal = h.principal AND t.id = h.task_id AND t.run_node IS NULL',
  );
}

/** Returns the time at which the first waiting run expires; null if none waits. */
export function nextHubRunExpiry(): Promise<Date | null> {
  return selectTaskDue('next-hub-run-expiry', `SELECT min(due_at) AS due FROM hub_run WHERE state = 'waiting'`);
}

/**
 * Returns the number of runs that wait for a worker, at most 10,000 per task database, and the age of the oldest in
 * seconds.
 */
export async function measureQueuedRuns(now: Date): Promise<RowOf<typeof queueRow>> {
  const found = await queueRow.inAvailable().query(
    'measure-hub-queue',
    `SELECT count(*) AS due, greatest(0, max(extract(epoch FROM $1 - created_at)))::float8 AS seconds
     FROM (SELECT created_at FROM hub_run WHERE state = 'waiting' LIMIT 10000) h`,
    [now],
  );
  return sumQueues(found);
}
