import { noticeOf, publishHere } from '../../platform/bus';
import { sha256 } from '../../platform/crypto';
import { createGroupCommit } from '../../platform/group-commit';
import { shared } from '../../platform/registry';
import { queryByKeys } from '../../platform/sql';
import { parametersOf, rowsSql } from '../../platform/sql-rows';
import type { TaskEvent } from '../../protocol/a2a/core/events';

/** An id that a client of A2A 0.1 chose. */
export interface NewName {
  family: 'society' | 'v01';
  clientId: string;
  /** The task that it stood for until now; null when it must not be taken yet. */
  replaces: string | null;
}

export interface NewTask {
  id: string;
  principal: string;
  agentId: string;
  contextId: string;
  /** Used when the context is new. */
  upstreamContextId: string;
  credentialId: string;
  clientId: string;
  runNode: string;
  /** The caller's message and the first status. */
  events: [TaskEvent, TaskEvent];
  /** What makes a repeated send the same send; null: every send is its own. */
  sendKey: { key: string; bodyHash: string } | null;
  /** The client's own id of the task, taken in the same commit. */
  name: NewName | null;
  at: Date;
}

/** `upstreamContextId` of the created task; null when the send key or the name was taken and nothing was written. */
type Created = { upstreamContextId: string } | null;

const columns = {
  id: 'uuid',
  principal: 'text',
  agent_id: 'text',
  context_id: 'text',
  upstream_context_id: 'text',
  credential_id: 'text',
  client_id: 'text',
  run_node: 'text',
  first: 'json',
  second: 'json',
  key: 'text',
  body_hash: 'text',
  at: 'timestamptz',
  notice: 'text',
};
const nameColumns = { family: 'text', name: 'text', replaces: 'uuid' };

const names = `
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
function statementOf({ many, named }: { many: boolean; named: boolean }): string {
  return `
WITH want AS (
  ${rowsSql(named ? { ...columns, ...nameColumns } : columns, many)}
), keyed AS (
  INSERT INTO send_key (principal, agent_id, key, body_hash, task_id, created_at)
  SELECT principal, agent_id, key, body_hash, id, at FROM want WHERE key IS NOT NULL ON CONFLICT DO NOTHING RETURNING task_id${named ? names : ''}
), fresh AS (
  SELECT * FROM want WHERE (key IS NULL OR id IN (SELECT task_id FROM keyed)) ${named ? 'AND id IN (SELECT id FROM free)' : ''}
), opened AS (
  INSERT INTO context (principal, agent_id, id, upstream_context_id, created_at)
  SELECT ${many ? 'DISTINCT ON (principal, agent_id, context_id)' : ''} principal, agent_id, context_id, upstream_context_id, at
  FROM fresh ON CONFLICT (principal, agent_id, id) DO UPDATE SET id = excluded.id
  RETURNING principal, agent_id, id, upstream_context_id
), tasks AS (
  INSERT INTO task (id, principal, agent_id, context_id, state, state_at, last_seq, run_node, credential_id, client_id, created_at)
  SELECT id, principal, agent_id, context_id, 'submitted', at, 2, run_node, credential_id, client_id, at FROM fresh
), stored AS (
  INSERT INTO task_event (task_id, seq, payload, at)
  SELECT id, 1, first, at FROM fresh UNION ALL SELECT id, 2, second, at FROM fresh
)
SELECT f.id, o.upstream_context_id AS "upstreamContextId", pg_notify('parley', f.notice)
FROM fresh f JOIN opened o ON ${many ? 'o.principal = f.principal AND o.agent_id = f.agent_id AND o.id = f.context_id' : 'true'}`;
}

const statements = {
  'create-task': statementOf({ many: false, named: false }),
  'create-named-task': statementOf({ many: false, named: true }),
  'create-tasks': statementOf({ many: true, named: false }),
  'create-named-tasks': statementOf({ many: true, named: true }),
};

/** Writes a new task with its first two events, its context, its send key and its name in one commit shared with other sends. */
export function createTask(task: NewTask): Promise<Created> {
  return shared('create-task', () => createGroupCommit(flush, 500))(task);
}

/** The key under which the bus speaks of a context; a hash, because clients choose context ids. */
export function contextKey(principal: string, agentId: string, contextId: string): string {
  return sha256(JSON.stringify([principal, agentId, contextId])).slice(0, 32);
}

async function flush(batch: NewTask[]): Promise<Created[]> {
  const named = batch.some(({ name }) => name !== null);
  const contexts = batch.map(({ principal, agentId, contextId }) => contextKey(principal, agentId, contextId));
  const rows = batch.map((task, at) => {
    const values = valuesOf(task, noticeOf('context', contexts[at] ?? ''));
    return named ? [...values, ...nameOf(task)] : values;
  });
  const statement = `create-${named ? 'named-' : ''}task${rows.length > 1 ? 's' : ''}` as const;
  const written = await queryByKeys<{ id: string; upstreamContextId: string }>(
    statement,
    statements[statement],
    parametersOf(rows),
  );
  const created = new Map(written.map((row) => [row.id, row]));
  batch.forEach(({ id }, at) => {
    if (created.has(id)) publishHere('context', contexts[at] ?? '');
  });
  return batch.map(({ id }) => created.get(id) ?? null);
}

/** In the order of `columns`. */
function valuesOf(task: NewTask, notice: string): (string | null)[] {
  return [
    task.id,
    task.principal,
    task.agentId,
    task.contextId,
    task.upstreamContextId,
    task.credentialId,
    task.clientId,
    task.runNode,
    JSON.stringify(task.events[0]),
    JSON.stringify(task.events[1]),
    task.sendKey?.key ?? null,
    task.sendKey?.bodyHash ?? null,
    task.at.toISOString(),
    notice,
  ];
}

/** In the order of `nameColumns`. */
function nameOf({ name }: NewTask): (string | null)[] {
  return [name?.family ?? null, name?.clientId ?? null, name?.replaces ?? null];
}
