import { nodeId, nodeIsDeadSql } from '../../platform/bus';
import { int8, nullable, row, text, timestamptz } from '../../platform/rows';
import { execute } from '../../platform/sql';

const presenceRow = row({ workers: int8(), connectedAt: nullable(timestamptz()), others: int8() });

/** Whether workers of an agent are connected, on any node. */
export interface PresenceRecord {
  /** Connected workers that are not draining. */
  workers: number;
  /** When a worker last connected; null for an agent that has never connected. */
  connectedAt: Date | null;
}

/** Rows of dead nodes count until {@link deleteDeadWorkers} removes them. */
export async function selectPresence(
  agentId: string,
  workerId: string | null = null,
): Promise<PresenceRecord & { others: number }> {
  const found = await presenceRow.queryFirst(
    'hub-presence',
    `SELECT (SELECT count(*) FROM hub_worker w WHERE w.agent_id = $1 AND NOT w.draining) AS workers,
       (SELECT last_connected_at FROM hub_agent a WHERE a.agent_id = $1) AS "connectedAt",
       (SELECT count(*) FROM hub_worker w WHERE w.agent_id = $1 AND w.id IS DISTINCT FROM $2::uuid) AS others`,
    [agentId, workerId],
  );
  return found ?? { workers: 0, connectedAt: null, others: 0 };
}

export interface NewWorker {
  id: string;
  agentId: string;
  capacity: number;
  version: string;
  at: Date;
}

/** Records a worker of this node; it replaces its own earlier connection. */
export async function upsertWorker({ id, agentId, capacity, version, at }: NewWorker): Promise<void> {
  await execute(
    'hub-worker-connected',
    `WITH agent AS (
       INSERT INTO hub_agent (agent_id, first_connected_at, last_connected_at) VALUES ($2, $6, $6)
       ON CONFLICT (agent_id) DO UPDATE SET last_connected_at = $6
     )
     INSERT INTO hub_worker (id, agent_id, node, capacity, version, connected_at) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (agent_id, id) DO UPDATE SET node = $3, capacity = $4, version = $5, draining = false, connected_at = $6`,
    [id, agentId, nodeId(), capacity, version, at],
  );
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

/** Removes a worker unless it has connected to another node. */
export async function deleteWorker({ id, agentId }: Pick<NewWorker, 'id' | 'agentId'>): Promise<void> {
  await execute('hub-worker-gone', 'DELETE FROM hub_worker WHERE agent_id = $1 AND id = $2 AND node = $3', [
    agentId,
    id,
    nodeId(),
  ]);
}

const agentRow = row({ agentId: text() });

/** Removes the workers of dead nodes; returns their agents. */
export async function deleteDeadWorkers(): Promise<string[]> {
  const rows = await agentRow.query(
    'hub-workers-of-dead-nodes',
    `WITH others AS MATERIALIZED (SELECT DISTINCT node FROM hub_worker WHERE node <> $1),
       gone AS MATERIALIZED (SELECT node FROM others WHERE ${nodeIsDeadSql('node')})
     DELETE FROM hub_worker WHERE node IN (SELECT node FROM gone) RETURNING agent_id AS "agentId"`,
    [nodeId()],
  );
  return [...new Set(rows.map(({ agentId }) => agentId))];
}
