import { noticeOf, publishHere } from '../../platform/bus';
import { type Columns, parametersOf, rowsSql } from '../../platform/sql-rows';
import type { Statement, TextRow } from '../../platform/statements';
import type { TaskEvent } from '../../protocol/a2a/core/events';
import { journalLane, mostNoticed } from './journal';
import { contextKey, upstreamContextIdOf } from './records';

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

/** What the agent calls the task's context; null when the send key or the name was taken and nothing was written. */
type Created = { upstreamContextId: string } | null;

const columns: Columns = {
  id: 'uuid',
  principal: 'text',
  agent_id: 'text',
  context_id: 'text',
  credential_id: 'text',
  client_id: 'text',
  run_node: 'text',
  events: 'json',
  key: 'text',
  body_hash: 'text',
  at: 'timestamptz',
  /** The key under which the bus speaks of the context. */
  place: 'text',
};
const namedColumns: Columns = { ...columns, family: 'text', name: 'text', replaces: 'uuid' };

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
function textOf({ many, named }: { many: boolean; named: boolean }): string {
  const want = named ? namedColumns : columns;
  return `
WITH want AS (
  ${rowsSql(want, many)}
), keyed AS (
  INSERT INTO send_key (principal, agent_id, key, body_hash, task_id, created_at)
  SELECT principal, agent_id, key, body_hash, id, at FROM want WHERE key IS NOT NULL ON CONFLICT DO NOTHING RETURNING task_id${named ? names : ''}
), fresh AS (
  SELECT * FROM want WHERE (key IS NULL OR id IN (SELECT task_id FROM keyed)) ${named ? 'AND id IN (SELECT id FROM free)' : ''}
), tasks AS (
  INSERT INTO task (id, principal, agent_id, context_id, state, state_at, last_seq, run_node, credential_id, client_id, created_at)
  SELECT id, principal, agent_id, context_id, 'submitted', at, 2, run_node, credential_id, client_id, at FROM fresh
), stored AS (
  INSERT INTO task_event (task_id, seq, payload, at) SELECT id, 2, events, at FROM fresh
)
SELECT f.id, c.upstream_context_id, NULL
FROM fresh f LEFT JOIN context c ON c.principal = f.principal AND c.agent_id = f.agent_id AND c.id = f.context_id
UNION ALL
SELECT NULL, NULL, pg_notify('parley', $${Object.keys(want).length + 1} || string_agg(place, ',')) FROM fresh HAVING count(*) > 0`;
}

const texts = {
  'create-task': textOf({ many: false, named: false }),
  'create-named-task': textOf({ many: false, named: true }),
  'create-tasks': textOf({ many: true, named: false }),
  'create-named-tasks': textOf({ many: true, named: true }),
};

/** Writes a new task with its first two events, its send key and its name in one commit shared with other writes. */
export function createTask(task: NewTask): Promise<Created> {
  const lane = journalLane('journal:create-task', { order: 2, most: mostNoticed, statementOf, resultsOf });
  return lane({ task, place: contextKey(task) });
}

/** A task, and the key under which the bus speaks of its context. */
interface Placed {
  task: NewTask;
  place: string;
}

function statementOf(batch: Placed[]): Statement {
  const named = batch.some(({ task }) => task.name !== null);
  const name = `create-${named ? 'named-' : ''}task${batch.length > 1 ? 's' : ''}` as const;
  const rows = batch.map((placed) => (named ? [...valuesOf(placed), ...nameOf(placed.task)] : valuesOf(placed)));
  const values = parametersOf(named ? namedColumns : columns, rows);
  values.push(noticeOf('context', ''));
  return { name, text: texts[name], values };
}

function resultsOf(batch: Placed[], rows: TextRow[]): Created[] {
  const created = new Map(rows.map(([id, upstreamContextId]) => [id, upstreamContextId ?? null]));
  return batch.map(({ task, place }) => {
    const upstreamContextId = created.get(task.id);
    if (upstreamContextId === undefined) return null;
    publishHere('context', place);
    return { upstreamContextId: upstreamContextId ?? upstreamContextIdOf(task) };
  });
}

/** In the order of `columns`. */
function valuesOf({ task, place }: Placed): (string | null)[] {
  return [
    task.id,
    task.principal,
    task.agentId,
    task.contextId,
    task.credentialId,
    task.clientId,
    task.runNode,
    JSON.stringify(task.events),
    task.sendKey?.key ?? null,
    task.sendKey?.bodyHash ?? null,
    task.at.toISOString(),
    place,
  ];
}

/** In the order of the columns that a name has. */
function nameOf({ name }: NewTask): (string | null)[] {
  return [name?.family ?? null, name?.clientId ?? null, name?.replaces ?? null];
}
