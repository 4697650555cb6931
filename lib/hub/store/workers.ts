import { batchWrites } from '../../platform/batches';
import { nodeId, nodeIsDeadSql } from '../../platform/bus';
import { bool, int8, nullable, row, text, timestamptz } from '../../platform/db/rows';
import { execute } from '../../platform/db/sql';
import { selectDue } from '../../platform/runtime/activity';
import { MAX_BATCHED_WORKERS, RETURNING_WORKER_MS } from '../limits';

const presenceRow = row({
  workers: int8(),
  connectedAt: nullable(timestamptz()),
  others: int8(),
  isReturning: bool(),
});

/** SQL condition that is true if the worker `w` is connected, or was within {@link RETURNING_WORKER_MS}. */
const isRecentSql = `(w.left_at IS NULL OR w.left_at > now() - interval '${RETURNING_WORKER_MS} ms')`;

/** The connection state of an agent's workers, on any node. */
export interface PresenceRecord {
  /** Connected workers that are not draining. */
  workers: number;
  /** The time at which a worker last connected; null for an agent whose workers have never connected. */
  connectedAt: Date | null;
}

/**
 * Selects the presence, the number of the agent's connected workers other than `workerId`, and whether that worker is
 * or was recently connected. Workers of dead nodes count until {@link markDeadWorkers}.
 */
export async function selectPresence(
  agentId: string,
  workerId: string | null = null,
): Promise<PresenceRecord & { others: number; isReturning: boolean }> {
  const found = await presenceRow.queryFirst(
    'hub-presence',
    `SELECT (SELECT count(*) FROM hub_worker w WHERE w.agent_id = $1 AND NOT w.draining) AS workers,
       (SELECT last_connected_at FROM hub_agent a WHERE a.agent_id = $1) AS "connectedAt",
       (SELECT count(*) FROM hub_worker w
         WHERE w.agent_id = $1 AND w.left_at IS NULL AND w.id IS DISTINCT FROM $2::uuid) AS others,
       EXISTS (SELECT FROM hub_worker w WHERE w.agent_id = $1 AND w.id = $2::uuid AND ${isRecentSql}) AS "isReturning"`,
    [agentId, workerId],
  );
  return found ?? { workers: 0, connectedAt: null, others: 0, isReturning: false };
}

export interface NewWorker {
  id: string;
  agentId: string;
  capacity: number;
  version: string;
  at: Date;
}

/** Records a worker of this node, in one statement with other workers. Replaces the worker's earlier connection. */
export const upsertWorker = batchWrites(upsertWorkers, MAX_BATCHED_WORKERS);

/** Rows are locked in the order of their keys, so that nodes do not deadlock. */
async function upsertWorkers(workers: NewWorker[]): Promise<undefined[]> {
  await execute(
    'hub-workers-connected',
    `WITH connected AS (
       SELECT * FROM unnest($1::uuid[], $2::text[], $4::int[], $5::text[], $6::timestamptz[])
         AS c(id, agent_id, capacity, version, at)
     ), agents AS (
       INSERT INTO hub_agent (agent_id, first_connected_at, last_connected_at)
       SELECT agent_id, min(at), max(at) FROM connected GROUP BY agent_id ORDER BY agent_id
       ON CONFLICT (agent_id) DO UPDATE SET last_connected_at = excluded.last_connected_at
     )
     INSERT INTO hub_worker (id, agent_id, node, capacity, version, connected_at)
     SELECT id, agent_id, $3, capacity, version, at FROM connected ORDER BY agent_id, id
     ON CONFLICT (agent_id, id) DO UPDATE SET node = $3, capacity = excluded.capacity, version = excluded.version,
       draining = false, connected_at = excluded.connected_at, left_at = NULL`,
    [
      workers.map(({ id }) => id),
      workers.map(({ agentId }) => agentId),
      nodeId(),
      workers.map(({ capacity }) => capacity),
      workers.map(({ version }) => version),
      workers.map(({ at }) => at),
    ],
  );
  return workers.map(() => undefined);
}

export async function updateWorker(
  { id, agentId }: Pick<NewWorker, 'id' | 'agentId'>,
  state: { capacity: number; draining: boolean },
): Promise<void> {
  await execute(
    'hub-worker-state',
    'UPDATE hub_worker SET capacity = $4, draining = $5 WHERE agent_id = $1 AND id = $2 AND node = $3',
    [agentId, id, nodeId(), state.capacity, state.draining],
  );
}

/** A connection of a worker that started at `at`. */
type EndedConnection = Pick<NewWorker, 'id' | 'agentId' | 'at'>;

/** Records that a worker disconnected, unless it has connected again. Uses one statement with other workers. */
export const markLeft = batchWrites(markAllLeft, MAX_BATCHED_WORKERS);

async function markAllLeft(connections: EndedConnection[]): Promise<undefined[]> {
  await execute(
    'hub-workers-left',
    `UPDATE hub_worker SET draining = true, left_at = now() WHERE node = $1 AND (agent_id, id, connected_at) IN (
       SELECT * FROM unnest($2::text[], $3::uuid[], $4::timestamptz[]))`,
    [
      nodeId(),
      connections.map(({ agentId }) => agentId),
      connections.map(({ id }) => id),
      connections.map(({ at }) => at),
    ],
  );
  return connections.map(() => undefined);
}

const agentRow = row({ agentId: text() });

/** Records that all workers of this node disconnected. Returns their agents. */
export async function markNodeLeft(): Promise<string[]> {
  const rows = await agentRow.query(
    'hub-workers-of-node-left',
    `UPDATE hub_worker SET draining = true, left_at = now() WHERE node = $1 AND left_at IS NULL RETURNING agent_id AS "agentId"`,
    [nodeId()],
  );
  return [...new Set(rows.map(({ agentId }) => agentId))];
}

/** Records that the workers of dead nodes disconnected. Returns their agents. */
export async function markDeadWorkers(): Promise<string[]> {
  const rows = await agentRow.query(
    'hub-workers-of-dead-nodes',
    `WITH others AS MATERIALIZED (SELECT DISTINCT node FROM hub_worker WHERE node <> $1 AND left_at IS NULL),
       dead AS MATERIALIZED (SELECT node FROM others WHERE ${nodeIsDeadSql('node')})
     UPDATE hub_worker SET draining = true, left_at = now()
     WHERE left_at IS NULL AND node IN (SELECT node FROM dead) RETURNING agent_id AS "agentId"`,
    [nodeId()],
  );
  return [...new Set(rows.map(({ agentId }) => agentId))];
}

/** Returns the current time if workers are connected to other nodes; otherwise null. */
export function nextDeadWorkerLook(): Promise<Date | null> {
  const statement = 'SELECT now() AS due FROM hub_worker WHERE node <> $1 AND left_at IS NULL LIMIT 1';
  return selectDue('next-dead-worker-look', statement, [nodeId()]);
}

/** Deletes workers that disconnected so long ago that they would count as new. */
export async function deleteLeftWorkers(): Promise<void> {
  await execute('hub-workers-forgotten', `DELETE FROM hub_worker w WHERE w.left_at IS NOT NULL AND NOT ${isRecentSql}`);
}
