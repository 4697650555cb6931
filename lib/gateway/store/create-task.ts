import { createHash } from 'node:crypto';
import { noticeOf, publishHere } from '../../platform/bus';
import { createGroupCommit } from '../../platform/group-commit';
import { shared } from '../../platform/registry';
import { query } from '../../platform/sql';
import type { TaskEvent } from '../../protocol/a2a/core/events';

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
  at: Date;
}

/** `upstreamContextId` of the created task; null when the send key was already used and nothing was written. */
type Created = { upstreamContextId: string } | null;

const statement = `
WITH want AS (
  SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
    $9::text[], $10::text[], $11::text[], $12::text[], $13::timestamptz[])
    AS w(id, principal, agent_id, context_id, upstream_context_id, credential_id, client_id, run_node, first, second, key, body_hash, at)
), keyed AS (
  INSERT INTO send_key (principal, agent_id, key, body_hash, task_id, created_at)
  SELECT principal, agent_id, key, body_hash, id, at FROM want WHERE key IS NOT NULL ON CONFLICT DO NOTHING RETURNING task_id
), fresh AS (
  SELECT * FROM want w WHERE w.key IS NULL OR w.id IN (SELECT task_id FROM keyed)
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

/** Writes a new task with its first two events, its context and its send key in one commit shared with other sends. */
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
  const rows = await query<{ id: string; upstreamContextId: string }>('create-task', statement, valuesOf(batch));
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
