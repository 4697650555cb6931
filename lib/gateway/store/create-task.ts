import { notifyStatements, publishLocally } from '../../platform/bus';
import { isUniqueViolation } from '../../platform/db';
import type { Statement, TextRow } from '../../platform/pipelined-statements';
import { type Columns, encodeParams, selectUnnest } from '../../platform/unnest';
import type { TaskEvent } from '../../protocol/a2a/core/events';
import { scopeKey } from './find-tasks';
import { contextKey, type StoredUpstreamContext } from './records';
import { batchedWriter, MAX_NOTIFY_KEYS } from './task-write-batch';

/** An id that a client of A2A 0.1 chose. */
export interface ClientTaskIdClaim {
  family: 'society' | 'v01';
  clientTaskId: string;
  /** The task that it stood for until now; null when it must not be taken yet. */
  replaces: string | null;
}

export interface NewTask {
  id: string;
  principal: string;
  agentId: string;
  contextId: string;
  /** The context begins with this task: its id was made for it. */
  opensContext: boolean;
  credentialId: string;
  clientId: string;
  /** Whose it is within its principal; see `Owner`. */
  delegation: string | null;
  runNode: string;
  /** The caller's message and the first status. */
  events: [TaskEvent, TaskEvent];
  /** What makes a repeated send the same send; null: every send is its own. */
  idempotencyKey: { key: string; bodyHash: string } | null;
  /** The client's own id of the task, taken in the same commit. */
  idClaim: ClientTaskIdClaim | null;
  at: Date;
}

/** What is stored of the context's ids at the agent; null when the send key or the name was taken and nothing was written. */
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
const claimColumns: Columns = { ...columns, family: 'text', name: 'text', replaces: 'uuid' };

const insertKeysSql = `INSERT INTO send_key (principal, agent_id, key, body_hash, task_id, created_at)
  SELECT principal, agent_id, key, body_hash, id, at`;
const insertTasksSql = `INSERT INTO task (id, principal, agent_id, context_id, state, state_at, last_seq, run_node, credential_id, client_id, delegation, created_at)
  SELECT id, principal, agent_id, context_id, 'submitted', at, 2, run_node, credential_id, client_id, delegation, at`;
const insertEventsSql = 'INSERT INTO task_event (task_id, seq, payload, at) SELECT id, 2, events, at';

const singleRowSql = `(${selectUnnest(columns, false)}) want`;

/**
 * What most sends want, where it is all that a commit has to do: one task, with a key, without a name, in a context of its own. It
 * fails where the key was taken, and so need not look first.
 */
const fastPathSql = `
WITH keyed AS (${insertKeysSql} FROM ${singleRowSql}), stored AS (${insertEventsSql} FROM ${singleRowSql})
${insertTasksSql} FROM ${singleRowSql} RETURNING id, NULL, NULL`;

/**
 * What the agent called the context in the latest of its tasks `f` that it answered. Each half has the order of an index of its own
 * (migration 0040).
 */
const latestUpstreamContext = `(${['IS NULL', 'IS NOT NULL']
  .map(
    (runs) => `(SELECT t.upstream_context_id, t.created_at FROM task t
    WHERE t.run_node ${runs} AND t.context_id = f.context_id AND t.principal = f.principal AND t.agent_id = f.agent_id
      AND t.delegation IS NOT DISTINCT FROM f.delegation AND t.upstream_context_id IS NOT NULL
    ORDER BY t.created_at DESC LIMIT 1)`,
  )
  .join(' UNION ALL ')} ORDER BY created_at DESC LIMIT 1)`;

const claimIdsSql = `
), taken AS (
  INSERT INTO task_name (family, principal, agent_id, client_id, task_id, created_at)
  SELECT family, principal, agent_id, name, id, at FROM want WHERE family IS NOT NULL AND replaces IS NULL
  ON CONFLICT DO NOTHING RETURNING task_id
), moved AS (
  UPDATE task_name t SET task_id = w.id FROM want w
  WHERE t.family = w.family AND t.principal = w.principal AND t.agent_id = w.agent_id AND t.client_id = w.name
    AND t.task_id = w.replaces RETURNING t.task_id
), free AS (
  SELECT id FROM want WHERE family IS NULL UNION SELECT task_id FROM taken UNION SELECT task_id FROM moved`;

/** Most sends have no name of their own and need not pay for the looking up of one. */
function createTaskSql({ many, named }: { many: boolean; named: boolean }): string {
  return `
WITH want AS (
  ${selectUnnest(named ? claimColumns : columns, many)}
), keyed AS (
  ${insertKeysSql} FROM want WHERE key IS NOT NULL ON CONFLICT DO NOTHING RETURNING task_id${named ? claimIdsSql : ''}
), fresh AS (
  SELECT * FROM want WHERE (key IS NULL OR id IN (SELECT task_id FROM keyed)) ${named ? 'AND id IN (SELECT id FROM free)' : ''}
), tasks AS (
  ${insertTasksSql} FROM fresh
), stored AS (
  ${insertEventsSql} FROM fresh
)
SELECT f.id, CASE WHEN f.opens = 0 THEN (SELECT latest.upstream_context_id FROM ${latestUpstreamContext} latest) END,
  CASE WHEN f.opens = 0 THEN (SELECT c.upstream_context_id FROM context c
    WHERE c.principal = f.principal AND c.agent_id = f.agent_id AND c.id = f.context_id
      AND c.delegation = coalesce(f.delegation, '')) END
FROM fresh f`;
}

const statementTexts = {
  'create-lone-task': fastPathSql,
  'create-task': createTaskSql({ many: false, named: false }),
  'create-named-task': createTaskSql({ many: false, named: true }),
  'create-tasks': createTaskSql({ many: true, named: false }),
  'create-named-tasks': createTaskSql({ many: true, named: true }),
};

/** Writes a new task with its first two events, its send key and its name in one commit shared with other writes. */
export async function createTask(task: NewTask): Promise<Created> {
  const write = batchedWriter('journal:create-task', { order: 2, maxBatch: MAX_NOTIFY_KEYS, statementsOf, resultsOf });
  const pending: PendingTask = { task, busKey: null };
  const created = write(pending);
  // While the database writes.
  busKeyOf(pending);
  try {
    return await created;
  } catch (error) {
    if (isUniqueViolation(error, 'send_key_pkey')) return null;
    throw error;
  }
}

/** A task, and the key under which the bus speaks of its context, once it was worked out. */
interface PendingTask {
  task: NewTask;
  busKey: string | null;
}

function busKeyOf(pending: PendingTask): string {
  pending.busKey ??= contextKey(pending.task);
  return pending.busKey;
}

function statementsOf(batch: PendingTask[], isSole: boolean): [Statement, ...Statement[]] {
  const named = batch.some(({ task }) => task.idClaim !== null);
  const rows = batch.map(({ task }) => (named ? [...valuesOf(task), ...claimValues(task)] : valuesOf(task)));
  const name = statementName(batch, { named, isSole });
  const values = encodeParams(named ? claimColumns : columns, rows);
  return [{ name, text: statementTexts[name], values }, ...notifyStatements('context', () => batch.map(busKeyOf))];
}

function statementName(
  [first, ...others]: PendingTask[],
  { named, isSole }: { named: boolean; isSole: boolean },
): keyof typeof statementTexts {
  if (others.length > 0) return named ? 'create-named-tasks' : 'create-tasks';
  if (named) return 'create-named-task';
  return isSole && first?.task.opensContext && first.task.idempotencyKey ? 'create-lone-task' : 'create-task';
}

function resultsOf(batch: PendingTask[], rows: TextRow[]): Created[] {
  const created = new Map(rows.map((row) => [row[0], row]));
  return batch.map((pending) => {
    const row = created.get(pending.task.id);
    if (row === undefined) return null;
    publishLocally('context', busKeyOf(pending));
    return { upstreamContextId: row[1] ?? null, ownContextId: row[2] ?? null };
  });
}

/** In the order of `columns`. */
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

/** A family of names of the owner's: agents that act for a principal name their tasks apart from them and from each other. */
export function scopeFamily(delegation: string | null, family: ClientTaskIdClaim['family']): string {
  return delegation === null ? family : `${family} ${delegation}`;
}

/** In the order of the columns that a name has. */
function claimValues({ idClaim: name, delegation }: NewTask): (string | null)[] {
  return [name ? scopeFamily(delegation, name.family) : null, name?.clientTaskId ?? null, name?.replaces ?? null];
}
