import { createHash } from 'node:crypto';
import { noticeOf, publishHere } from '../../platform/bus';
import { createGroupCommit } from '../../platform/group-commit';
import { shared } from '../../platform/registry';
import { query } from '../../platform/sql';
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

// Names come in a statement of their own: the many sends without one need not pay for them.
const named = `
), names AS (
  SELECT * FROM unnest($1::uuid[], $16::text[], $17::text[], $18::uuid[]) AS n(id, family, client_id, replaces)
), taken AS (
  INSERT INTO task_name (family, principal, agent_id, client_id, task_id, created_at)
  SELECT n.family, w.principal, w.agent_id, n.client_id, w.id, w.at FROM want w JOIN names n ON n.id = w.id
  WHERE n.family IS NOT NULL AND n.replaces IS NULL ON CONFLICT DO NOTHING RETURNING task_id
), moved AS (
  UPDATE task_name t SET task_id = w.id FROM want w JOIN names n ON n.id = w.id
  WHERE t.family = n.family AND t.principal = w.principal AND t.agent_id = w.agent_id AND t.client_id = n.client_id
    AND t.task_id = n.replaces RETURNING t.task_id
), free AS (
  SELECT n.id FROM names n WHERE n.family IS NULL UNION SELECT task_id FROM taken UNION SELECT task_id FROM moved`;

const statementOf = (withNames: boolean): string => `
WITH want AS (
  SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
    $9::text[], $10::text[], $11::text[], $12::text[], $13::timestamptz[])
    AS w(id, principal, agent_id, context_id, upstream_context_id, credential_id, client_id, run_node, first, second, key, body_hash, at)
), keyed AS (
  INSERT INTO send_key (principal, agent_id, key, body_hash, task_id, created_at)
  SELECT principal, agent_id, key, body_hash, id, at FROM want WHERE key IS NOT NULL ON CONFLICT DO NOTHING RETURNING task_id${withNames ? named : ''}
), fresh AS (
  SELECT * FROM want w WHERE (w.key IS NULL OR w.id IN (SELECT task_id FROM keyed))
    ${withNames ? 'AND w.id IN (SELECT id FROM free)' : ''}
), opened AS (
  INSERT INTO context (principal, agent_id, id, upstream_context_id, created_at)
  SELECT DISTINCT ON (principal, agent_id, context_id) principal, agent_id, context_id, upstream_context_id, at FROM fresh
  ON CONFLICT (principal, agent_id, id) DO UPDATE SET id = excluded.id
  RETURNING principal, agent_id, id, upstream_context_id
), tasks AS (
  INSERT INTO task (id, principal, agent_id, context_id, state, state_at, last_seq, run_node, credential_id, client_id, created_at)
  SELECT id, principal, agent_id, context_id, 'submitted', at, 2, run_node, credential_id, client_id, at FROM fresh
), stored AS (
  INSERT INTO task_event (task_id, seq, payload, at)
  SELECT id, 1, first::json, at FROM fresh UNION ALL SELECT id, 2, second::json, at FROM fresh
)
SELECT f.id, o.upstream_context_id AS "upstreamContextId",
  pg_notify('parley', $14 || n.notice)
FROM fresh f JOIN opened o ON o.principal = f.principal AND o.agent_id = f.agent_id AND o.id = f.context_id
JOIN unnest($1::uuid[], $15::text[]) AS n(id, notice) ON n.id = f.id`;

const plainStatement = statementOf(false);
const namedStatement = statementOf(true);

/** Writes a new task with its first two events, its context, its send key and its name in one commit shared with other sends. */
export function createTask(task: NewTask): Promise<Created> {
  return shared('create-task', () => createGroupCommit(flush, 500))(task);
}

/** The key under which the bus speaks of a context; a hash, because clients choose context ids. */
export function contextKey(principal: string, agentId: string, contextId: string): string {
  return createHash('sha256')
    .update(JSON.stringify([principal, agentId, contextId]))
    .digest('hex')
    .slice(0, 32);
}

async function flush(batch: NewTask[]): Promise<Created[]> {
  const withNames = batch.some(({ name }) => name !== null);
  const rows = await query<{ id: string; upstreamContextId: string }>(
    withNames ? 'create-named-task' : 'create-task',
    withNames ? namedStatement : plainStatement,
    withNames ? [...valuesOf(batch), ...namesOf(batch)] : valuesOf(batch),
  );
  const created = new Map(rows.map((row) => [row.id, row]));
  for (const task of batch) {
    if (created.has(task.id)) publishHere('context', contextKey(task.principal, task.agentId, task.contextId));
  }
  return batch.map(({ id }) => created.get(id) ?? null);
}

function valuesOf(batch: NewTask[]): unknown[] {
  return [
    batch.map(({ id }) => id),
    batch.map(({ principal }) => principal),
    batch.map(({ agentId }) => agentId),
    batch.map(({ contextId }) => contextId),
    batch.map(({ upstreamContextId }) => upstreamContextId),
    batch.map(({ credentialId }) => credentialId),
    batch.map(({ clientId }) => clientId),
    batch.map(({ runNode }) => runNode),
    batch.map(({ events }) => JSON.stringify(events[0])),
    batch.map(({ events }) => JSON.stringify(events[1])),
    batch.map(({ sendKey }) => sendKey?.key ?? null),
    batch.map(({ sendKey }) => sendKey?.bodyHash ?? null),
    batch.map(({ at }) => at),
    noticeOf('context', ''),
    batch.map(({ principal, agentId, contextId }) => contextKey(principal, agentId, contextId)),
  ];
}

function namesOf(batch: NewTask[]): unknown[] {
  return [
    batch.map(({ name }) => name?.family ?? null),
    batch.map(({ name }) => name?.clientId ?? null),
    batch.map(({ name }) => name?.replaces ?? null),
  ];
}
