import { notifyStatements, publishCommitted } from '../../platform/bus';
import { isUniqueViolation } from '../../platform/db/db';
import type { Statement, TextRow } from '../../platform/db/pipelined-statements';
import { type Columns, encodeParams, selectUnnest } from '../../platform/db/sql';
import type { TaskEvent } from '../../protocol/a2a/core/events';
import { MAX_NOTIFY_KEYS } from '../limits';
import { type NewHubRun, startStateSql } from './hub-runs';
import { contextKey, type StoredUpstreamContext } from './records';
import { type ClientTaskIdClaim, scopeFamily, scopeKey } from './send-keys';
import { batchedWriter } from './task-events';

export interface NewTask {
  id: string;
  principal: string;
  agentId: string;
  contextId: string;
  /** True if the context is new: its id was generated for this task. */
  opensContext: boolean;
  credentialId: string;
  clientId: string;
  /** The delegation that owns it; see `Owner`. */
  delegation: string | null;
  runNode: string;
  /** The caller's message and the first status. */
  events: [TaskEvent, TaskEvent];
  /** Null if every send is distinct. */
  idempotencyKey: { key: string; bodyHash: string } | null;
  /** The client task id, acquired in the same commit. */
  idClaim: ClientTaskIdClaim | null;
  /** For an agent that connects to Parley: the run that a worker is offered. */
  hubRun?: NewHubRun;
  at: Date;
}

/**
 * The stored context ids at the agent; null if the idempotency key or client task id already existed, in which case
 * nothing was written.
 */
type Created = StoredUpstreamContext | null;

const columns: Columns = {
  id: 'uuid',
  principal: 'text',
  agent_id: 'text',
  context_id: 'text',
  credential_id: 'text',
  client_id: 'text',
  delegation: 'text',
  run_node: 'text',
  events: 'json',
  key: 'text',
  body_hash: 'text',
  at: 'timestamptz',
  opens: 'int',
};
const claimColumns: Columns = { ...columns, family: 'text', client_task_id: 'text', replaces: 'uuid' };

const insertKeysSql = `INSERT INTO idempotency_key (principal, agent_id, key, body_hash, task_id, created_at)
  SELECT principal, agent_id, key, body_hash, id, at`;
const insertTasksSql = `INSERT INTO task (id, principal, agent_id, context_id, state, state_at, last_seq, run_node, credential_id, client_id, delegation, created_at)
  SELECT id, principal, agent_id, context_id, 'submitted', at, 2, run_node, credential_id, client_id, delegation, at`;
const insertEventsSql =
  'INSERT INTO task_event (principal, task_id, seq, payload, at) SELECT principal, id, 2, events, at';

const singleRowSql = `(${selectUnnest(columns, false)}) want`;

/**
 * The statement for the most common send if it is the only one in its commit: one task with a key, without a client
 * task id, in a new context. Fails on an existing key instead of checking first.
 */
const fastPathSql = `
WITH keyed AS (${insertKeysSql} FROM ${singleRowSql}), stored AS (${insertEventsSql} FROM ${singleRowSql})
${insertTasksSql} FROM ${singleRowSql} RETURNING id, NULL, NULL`;

/**
 * Returns SQL for the agent's context id in the latest task of `f`'s context that has one. Each half uses its own index
 * order.
 */
const latestUpstreamContext = (owner: string): string =>
  `(${['IS NULL', 'IS NOT NULL']
    .map(
      (runs) => `(SELECT t.upstream_context_id, t.created_at FROM task t
    WHERE t.run_node ${runs} AND t.context_id = f.context_id AND t.principal = ${owner} AND t.agent_id = f.agent_id
      AND t.delegation IS NOT DISTINCT FROM f.delegation AND t.upstream_context_id IS NOT NULL
    ORDER BY t.created_at DESC LIMIT 1)`,
    )
    .join(' UNION ALL ')} ORDER BY created_at DESC LIMIT 1)`;

const claimIdsSql = `
), taken AS (
  INSERT INTO client_task_id (family, principal, agent_id, client_task_id, task_id, created_at)
  SELECT family, principal, agent_id, client_task_id, id, at FROM want WHERE family IS NOT NULL AND replaces IS NULL
  ON CONFLICT DO NOTHING RETURNING task_id
), moved AS (
  UPDATE client_task_id t SET task_id = w.id FROM want w
  WHERE t.family = w.family AND t.principal = w.principal AND t.agent_id = w.agent_id AND t.client_task_id = w.client_task_id
    AND t.task_id = w.replaces RETURNING t.task_id
), free AS (
  SELECT id FROM want WHERE family IS NULL UNION SELECT task_id FROM taken UNION SELECT task_id FROM moved`;

/** Returns the statement that creates tasks. Most sends have no client task id and skip its lookup. */
function createTaskSql({ many, withClientId }: { many: boolean; withClientId: boolean }): string {
  // As a parameter, where there is one owner, so that a distributed table is read in one place.
  const owner = many ? 'f.principal' : '$2';
  return `
WITH want AS (
  ${selectUnnest(withClientId ? claimColumns : columns, many)}
), keyed AS (
  ${insertKeysSql} FROM want WHERE key IS NOT NULL ON CONFLICT DO NOTHING RETURNING task_id${withClientId ? claimIdsSql : ''}
), fresh AS (
  SELECT * FROM want WHERE (key IS NULL OR id IN (SELECT task_id FROM keyed)) ${withClientId ? 'AND id IN (SELECT id FROM free)' : ''}
), tasks AS (
  ${insertTasksSql} FROM fresh
), stored AS (
  ${insertEventsSql} FROM fresh
)
SELECT f.id, CASE WHEN f.opens = 0 THEN (SELECT latest.upstream_context_id FROM ${latestUpstreamContext(owner)} latest) END,
  CASE WHEN f.opens = 0 THEN (SELECT c.upstream_context_id FROM context c
    WHERE c.principal = ${owner} AND c.agent_id = f.agent_id AND c.id = f.context_id
      AND c.delegation = coalesce(f.delegation, '')) END
FROM fresh f`;
}

const statementTexts = {
  'create-lone-task': fastPathSql,
  'create-task': createTaskSql({ many: false, withClientId: false }),
  'create-task-with-client-id': createTaskSql({ many: false, withClientId: true }),
  'create-tasks': createTaskSql({ many: true, withClientId: false }),
  'create-tasks-with-client-id': createTaskSql({ many: true, withClientId: true }),
};

const write = batchedWriter({ order: 2, maxBatch: MAX_NOTIFY_KEYS, statementsOf, resultsOf });

/**
 * Creates a task with its first two events, idempotency key and client task id in one commit shared with other writes.
 */
export async function createTask(task: NewTask): Promise<Created> {
  const pending: PendingTask = { principal: task.principal, task, busKey: null };
  const created = write(pending);
  // Computed while the database writes.
  busKeyOf(pending);
  try {
    return await created;
  } catch (error) {
    if (isUniqueViolation(error, 'idempotency_key_pkey')) return null;
    throw error;
  }
}

/** A task and the bus key of its context, once computed. */
interface PendingTask {
  principal: string;
  task: NewTask;
  busKey: string | null;
}

function busKeyOf(pending: PendingTask): string {
  pending.busKey ??= contextKey(pending.task);
  return pending.busKey;
}

function statementsOf(batch: PendingTask[], isSole: boolean): [Statement, ...Statement[]] {
  const withClientId = batch.some(({ task }) => task.idClaim !== null);
  const rows = batch.map(({ task }) => (withClientId ? [...valuesOf(task), ...claimValues(task)] : valuesOf(task)));
  const name = statementName(batch, { withClientId, isSole });
  const values = encodeParams(withClientId ? claimColumns : columns, rows);
  return [
    { name, text: statementTexts[name], values },
    ...hubRunStatements(batch.map(({ task }) => task)),
    ...notifyStatements('context', () => batch.map(busKeyOf)),
  ];
}

const hubRunColumns: Columns = {
  principal: 'text',
  id: 'uuid',
  turn_seq: 'int',
  agent_id: 'text',
  epoch: 'int',
  request: 'json',
  due_at: 'timestamptz',
  at: 'timestamptz',
};

const insertHubRunsSql = (many: boolean): string => `
INSERT INTO hub_run (principal, task_id, turn_seq, agent_id, state, epoch, request, due_at, created_at)
SELECT w.principal, w.id, w.turn_seq, w.agent_id, ${startStateSql('w.epoch')}, w.epoch, w.request, w.due_at, w.at FROM (${selectUnnest(hubRunColumns, many)}) w
WHERE EXISTS (SELECT 1 FROM task t WHERE t.principal = w.principal AND t.id = w.id)`;
const insertHubRunSql = insertHubRunsSql(false);
const insertManyHubRunsSql = insertHubRunsSql(true);

/**
 * Returns the statements that run in the transaction that creates the tasks, so that a task that was not created has no
 * run.
 */
function hubRunStatements(tasks: NewTask[]): Statement[] {
  const rows = tasks.flatMap(({ principal, id, hubRun, at }) =>
    hubRun
      ? [
          [
            principal,
            id,
            hubRun.turnSeq,
            hubRun.agentId,
            hubRun.epoch,
            JSON.stringify(hubRun.request),
            hubRun.dueAt.toISOString(),
            at.toISOString(),
          ],
        ]
      : [],
  );
  if (rows.length === 0) return [];
  const values = encodeParams(hubRunColumns, rows);
  const waitingFor = tasks.flatMap(({ hubRun }) => (hubRun?.epoch === 0 ? [hubRun.agentId] : []));
  return [
    rows.length > 1
      ? { name: 'create-hub-runs', text: insertManyHubRunsSql, values }
      : { name: 'create-hub-run', text: insertHubRunSql, values },
    ...(waitingFor.length > 0 ? notifyStatements('hub', () => waitingFor) : []),
  ];
}

function statementName(
  [first, ...others]: PendingTask[],
  { withClientId, isSole }: { withClientId: boolean; isSole: boolean },
): keyof typeof statementTexts {
  if (others.length > 0) return withClientId ? 'create-tasks-with-client-id' : 'create-tasks';
  if (withClientId) return 'create-task-with-client-id';
  return isSole && first?.task.opensContext && first.task.idempotencyKey ? 'create-lone-task' : 'create-task';
}

function resultsOf(batch: PendingTask[], rows: TextRow[]): Created[] {
  const created = new Map(rows.map((row) => [row[0], row]));
  return batch.map((pending) => {
    const row = created.get(pending.task.id);
    if (row === undefined) return null;
    publishCommitted('context', busKeyOf(pending));
    const { hubRun } = pending.task;
    if (hubRun?.epoch === 0) publishCommitted('hub', hubRun.agentId);
    return { upstreamContextId: row[1] ?? null, ownContextId: row[2] ?? null };
  });
}

/** Returns the values in the order of `columns`. */
function valuesOf(task: NewTask): (string | number | null)[] {
  return [
    task.id,
    task.principal,
    task.agentId,
    task.contextId,
    task.credentialId,
    task.clientId,
    task.delegation,
    task.runNode,
    JSON.stringify(task.events),
    task.idempotencyKey ? scopeKey(task.delegation, task.idempotencyKey.key) : null,
    task.idempotencyKey?.bodyHash ?? null,
    task.at.toISOString(),
    task.opensContext ? 1 : 0,
  ];
}

/** Returns the values in the order of the claim columns. */
function claimValues({ idClaim, delegation }: NewTask): (string | null)[] {
  return [
    idClaim ? scopeFamily(delegation, idClaim.family) : null,
    idClaim?.clientTaskId ?? null,
    idClaim?.replaces ?? null,
  ];
}
