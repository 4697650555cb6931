import { publish } from '../../platform/bus';
import { isUniqueViolation } from '../../platform/db/db';
import { int4, nullable, type RowOf, row, text, textArray, timestamptz, uuid } from '../../platform/db/rows';
import { ofOwner } from '../../platform/db/task-databases/task-statements';
import type { TaskState } from '../../protocol/a2a/core/model';
import { MAX_CHAIN_CALLS, MAX_CHAIN_MS, MAX_CHAIN_OPEN_TASKS, MAX_VIEWED_CHAIN_TASKS } from '../limits';
import type { TaskRef } from './records';

const chainRow = row({
  rootTaskId: uuid(),
  principal: text(),
  calls: int4(),
  maxCalls: int4(),
  openTasks: int4(),
  maxOpen: int4(),
  endsAt: timestamptz(),
  hirers: textArray(),
  stoppedAt: nullable(timestamptz()),
});

/** A chain: the calls that agents make on behalf of the caller of one root task. */
export type ChainRecord = RowOf<typeof chainRow>;

/**
 * Returns SQL for the delegated tasks of chain `c` that have not ended. A task that is not created yet counts as open.
 */
const liveTasksSql = (except: string): string => `array(SELECT u FROM unnest(c.open_tasks) u WHERE ${except}
  NOT EXISTS (SELECT 1 FROM task t WHERE t.principal = c.principal AND t.id = u AND t.run_node IS NULL))`;

const chainColumns = `c.root_task_id AS "rootTaskId", c.principal, c.calls, c.max_calls AS "maxCalls",
  (cardinality(c.open_tasks) - (SELECT count(*) FROM task t
    WHERE t.principal = c.principal AND t.id = ANY(c.open_tasks) AND t.run_node IS NULL))::int AS "openTasks", c.max_open AS "maxOpen", c.ends_at AS "endsAt", c.hirers,
  c.stopped_at AS "stoppedAt"`;

/** Returns the chain of a root task of this principal, or null. */
export function findChain(principal: string, rootTaskId: string): Promise<ChainRecord | null> {
  const statement = `SELECT ${chainColumns} FROM chain c WHERE c.root_task_id = $1 AND c.principal = $2`;
  return chainRow.of(principal).queryFirst('find-chain', statement, [rootTaskId, principal]);
}

/** Returns the chains of these root tasks of this principal. */
export function findChains(principal: string, rootTaskIds: string[]): Promise<ChainRecord[]> {
  const statement = `SELECT ${chainColumns} FROM chain c WHERE c.root_task_id = ANY($1::uuid[]) AND c.principal = $2`;
  return chainRow.of(principal).query('find-chains', statement, [rootTaskIds, principal]);
}

/** Creates the chain of a root task unless it exists. */
export async function ensureChain(principal: string, rootTaskId: string, now: Date): Promise<void> {
  const endsAt = new Date(now.getTime() + MAX_CHAIN_MS);
  await ofOwner(principal).execute(
    'ensure-chain',
    `INSERT INTO chain (root_task_id, principal, max_calls, max_open, ends_at, created_at) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT DO NOTHING`,
    [rootTaskId, principal, MAX_CHAIN_CALLS, MAX_CHAIN_OPEN_TASKS, endsAt, now],
  );
}

/** A call of one agent to another within a chain. */
export interface ChainCall {
  rootTaskId: string;
  principal: string;
  parentTaskId: string;
  depth: number;
  fromAgentId: string;
  agentId: string;
  /** The called agent's task: a new one, or the one that the message continues. */
  taskId: string;
  isNewTask: boolean;
  requestHash: string;
  requestText: string;
  /** Identifies the complete content that would be sent. */
  contentHash: string;
}

/**
 * Counts a call against the limits of its chain, in one statement, so that concurrent calls on any nodes cannot exceed
 * them. With `mayHire`, the agent needs no approval to call others; otherwise, the user must have allowed exactly this
 * content. Returns `limited` if the chain is missing, stopped or at a limit, or if an approval is missing; `repeated`
 * for a request that the same agent has already received in this chain.
 */
export async function countCall(
  call: ChainCall,
  { mayHire, now }: { mayHire: boolean; now: Date },
): Promise<'counted' | 'limited' | 'repeated'> {
  const { rootTaskId, principal, parentTaskId, depth, fromAgentId, agentId, taskId, isNewTask } = call;
  const { requestHash, requestText, contentHash } = call;
  const live = liveTasksSql('u <> $2 AND');
  try {
    const counted = await ofOwner(principal).execute(
      'count-chain-call',
      `WITH counted AS (
         UPDATE chain c SET calls = c.calls + 1, open_tasks = ${live} || $2::uuid
         WHERE c.root_task_id = $1 AND c.principal = $12 AND c.stopped_at IS NULL AND c.ends_at > $3 AND c.calls < c.max_calls
           AND cardinality(${live}) < c.max_open AND ($4 OR $5 = ANY(c.hirers) OR EXISTS (
             SELECT 1 FROM chain_approval a WHERE a.principal = $12 AND a.root_task_id = $1 AND a.from_agent_id = $5 AND a.agent_id = $7
               AND a.request_hash = $13 AND a.decision = 'allowed'))
         RETURNING c.root_task_id
       ), created AS (
         INSERT INTO chain_task (principal, task_id, root_task_id, parent_task_id, from_agent_id, agent_id, depth, request_hash,
           request_text, created_at)
         SELECT $12, $2, root_task_id, $6, $5, $7, $8, $9, $10, $3 FROM counted WHERE $11
       )
       SELECT 1 FROM counted`,
      [
        ...[rootTaskId, taskId, now, mayHire, fromAgentId, parentTaskId, agentId, depth, requestHash, requestText],
        ...[isNewTask, principal, contentHash],
      ],
    );
    if (counted === 0) return 'limited';
  } catch (error) {
    if (isUniqueViolation(error, 'chain_task_request_key')) return 'repeated';
    throw error;
  }
  return 'counted';
}

/** Reverses the count of a call that created no task or turn. */
export async function uncountCall({ principal, rootTaskId, taskId, isNewTask }: ChainCall): Promise<void> {
  await ofOwner(principal).execute(
    'uncount-chain-call',
    `WITH removed AS (DELETE FROM chain_task WHERE principal = $4 AND task_id = $2 AND $3)
     UPDATE chain SET calls = calls - 1, open_tasks = array_remove(open_tasks, $2)
     WHERE root_task_id = $1 AND principal = $4`,
    [rootTaskId, taskId, isNewTask, principal],
  );
  await publish('chain', rootTaskId);
}

/** Permits the repetition of a request whose earlier task failed. Returns false if there is none. */
export async function releaseFailedRequest({
  principal,
  rootTaskId,
  agentId,
  requestHash,
}: Pick<ChainCall, 'principal' | 'rootTaskId' | 'agentId' | 'requestHash'>): Promise<boolean> {
  const statement = `UPDATE chain_task d SET request_hash = NULL FROM task t
    WHERE d.principal = $4 AND d.root_task_id = $1 AND d.agent_id = $2 AND d.request_hash = $3 AND t.id = d.task_id
      AND t.principal = $4 AND t.state IN ('failed', 'rejected', 'canceled')`;
  return (
    (await ofOwner(principal).execute('release-failed-request', statement, [
      rootTaskId,
      agentId,
      requestHash,
      principal,
    ])) > 0
  );
}

/** Refuses further calls of a chain. Returns false if it has already been stopped, or if there is none. */
export async function markStopped(principal: string, rootTaskId: string, now: Date): Promise<boolean> {
  const statement =
    'UPDATE chain SET stopped_at = $3 WHERE root_task_id = $1 AND principal = $2 AND stopped_at IS NULL';
  const stopped = (await ofOwner(principal).execute('stop-chain', statement, [rootTaskId, principal, now])) > 0;
  if (stopped) await publish('chain', rootTaskId);
  return stopped;
}

const positionRow = row({ rootTaskId: uuid(), depth: int4() });

/** Returns the position of a delegated task in its chain; null for a task that no agent created. */
export function findPosition({ principal, id }: TaskRef): Promise<RowOf<typeof positionRow> | null> {
  const statement = 'SELECT root_task_id AS "rootTaskId", depth FROM chain_task WHERE principal = $2 AND task_id = $1';
  return positionRow.of(principal).queryFirst('chain-position', statement, [id, principal]);
}

const parentRow = row({ id: uuid() });

/** The agent's tasks that may be the parent of a delegated send. */
export interface ParentOwner {
  principal: string;
  agentId: string;
  delegation: string | null;
}

/** Returns the task `taskId` of this owner, if a node runs it, otherwise null. */
export async function findRunningParent(owner: ParentOwner, taskId: string): Promise<string | null> {
  const found = await parentRow.of(owner.principal).queryFirst(
    'running-parent',
    `SELECT id FROM task WHERE id = $4 AND principal = $1 AND agent_id = $2 AND delegation IS NOT DISTINCT FROM $3
       AND run_node IS NOT NULL`,
    [owner.principal, owner.agentId, owner.delegation, taskId],
  );
  return found?.id ?? null;
}

/** Finds the latest running task of this owner; if none runs, the latest one. */
export async function findLatestParent({ principal, agentId, delegation }: ParentOwner): Promise<string | null> {
  const latest = (which: string): string => `(SELECT id, run_node, created_at FROM task
    WHERE principal = $1 AND agent_id = $2 AND delegation IS NOT DISTINCT FROM $3 AND run_node ${which}
    ORDER BY created_at DESC LIMIT 1)`;
  const found = await parentRow
    .of(principal)
    .queryFirst(
      'latest-parent',
      `SELECT id FROM (${latest('IS NOT NULL')} UNION ALL ${latest('IS NULL')}) p ORDER BY run_node IS NULL LIMIT 1`,
      [principal, agentId, delegation],
    );
  return found?.id ?? null;
}

const agentRow = row({ agentId: text() });

/**
 * Returns the agents of the tasks above this one in its chain, nearest first; empty for a task that no agent created.
 */
export async function findActingAgents({ principal, id }: TaskRef): Promise<string[]> {
  const rows = await agentRow.of(principal).query(
    'chain-acting-agents',
    `WITH RECURSIVE above AS (
       SELECT parent_task_id, from_agent_id, depth FROM chain_task WHERE principal = $2 AND task_id = $1
       UNION ALL
       SELECT d.parent_task_id, d.from_agent_id, d.depth
       FROM above JOIN chain_task d ON d.principal = $2 AND d.task_id = above.parent_task_id
     ) SELECT from_agent_id AS "agentId" FROM above ORDER BY depth DESC`,
    [id, principal],
  );
  return rows.map(({ agentId }) => agentId);
}

const chainTaskRow = row({
  taskId: uuid(),
  rootTaskId: uuid(),
  parentTaskId: uuid(),
  fromAgentId: text(),
  agentId: text(),
  depth: int4(),
  requestText: text(),
  principal: text(),
  state: text<TaskState>(),
  credentialId: text(),
  clientId: text(),
  createdAt: timestamptz(),
  stateAt: timestamptz(),
});

/** A delegated task of a chain. */
export type ChainTaskRecord = RowOf<typeof chainTaskRow>;

const chainTasksSql = `SELECT d.task_id AS "taskId", d.root_task_id AS "rootTaskId", d.parent_task_id AS "parentTaskId",
    d.from_agent_id AS "fromAgentId", d.agent_id AS "agentId", d.depth, d.request_text AS "requestText", t.principal,
    t.state, t.credential_id AS "credentialId", t.client_id AS "clientId", t.created_at AS "createdAt",
    t.state_at AS "stateAt"
  FROM chain_task d JOIN task t ON t.principal = d.principal AND t.id = d.task_id`;

/** Returns the delegated tasks of a chain, oldest first. */
export function findChainTasks(principal: string, rootTaskId: string): Promise<ChainTaskRecord[]> {
  const statement = `${chainTasksSql} WHERE d.root_task_id = $1 AND d.principal = $2
    ORDER BY d.created_at, d.task_id LIMIT ${MAX_VIEWED_CHAIN_TASKS}`;
  return chainTaskRow.of(principal).query('chain-tasks', statement, [rootTaskId, principal]);
}

/** Returns the tasks that a task's agent created for the caller, oldest first. */
export function findHiredTasks({ principal, id }: TaskRef): Promise<ChainTaskRecord[]> {
  const statement = `${chainTasksSql} WHERE d.parent_task_id = $1 AND d.principal = $2
    ORDER BY d.created_at, d.task_id`;
  return chainTaskRow.of(principal).query('hired-tasks', statement, [id, principal]);
}

/** Returns a delegated task of a chain of this principal, or null. */
export function findChainTask(principal: string, rootTaskId: string, taskId: string): Promise<ChainTaskRecord | null> {
  const statement = `${chainTasksSql} WHERE d.root_task_id = $1 AND d.task_id = $2 AND d.principal = $3`;
  return chainTaskRow.of(principal).queryFirst('chain-task', statement, [rootTaskId, taskId, principal]);
}

/** Returns the root task of a principal, with its agent; null for any other task. */
export function findRoot(principal: string, rootTaskId: string): Promise<RowOf<typeof rootRow> | null> {
  const statement = `SELECT id, agent_id AS "agentId", state, run_node AS "runNode" FROM task WHERE id = $1 AND principal = $2`;
  return rootRow.of(principal).queryFirst('chain-root', statement, [rootTaskId, principal]);
}

const rootRow = row({ id: uuid(), agentId: text(), state: text<TaskState>(), runNode: nullable(text()) });
