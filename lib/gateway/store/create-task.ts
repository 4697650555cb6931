import { noticesOf, publishHere } from '../../platform/bus';
import { isUniqueViolation } from '../../platform/db';
import { type Columns, parametersOf, rowsSql } from '../../platform/sql-rows';
import type { Statement, TextRow } from '../../platform/statements';
import type { TaskEvent } from '../../protocol/a2a/core/events';
import { keyWithin } from './find-tasks';
import { journalLane, mostNoticed } from './journal';
import { contextKey, type StoredUpstreamContext } from './records';

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
  sendKey: { key: string; bodyHash: string } | null;
  /** The client's own id of the task, taken in the same commit. */
  name: NewName | null;
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
const namedColumns: Columns = { ...columns, family: 'text', name: 'text', replaces: 'uuid' };

const intoKeys = `INSERT INTO send_key (principal, agent_id, key, body_hash, task_id, created_at)
  SELECT principal, agent_id, key, body_hash, id, at`;
const intoTasks = `INSERT INTO task (id, principal, agent_id, context_id, state, state_at, last_seq, run_node, credential_id, client_id, delegation, created_at)
  SELECT id, principal, agent_id, context_id, 'submitted', at, 2, run_node, credential_id, client_id, delegation, at`;
const intoStories = 'INSERT INTO task_event (task_id, seq, payload, at) SELECT id, 2, events, at';

const one = `(${rowsSql(columns, false)}) want`;

/**
 * What most sends want, where it is all that a commit has to do: one task, with a key, without a name, in a context of its own. It
 * fails where the key was taken, and so need not look first.
 */
const loneText = `
WITH keyed AS (${intoKeys} FROM ${one}), stored AS (${intoStories} FROM ${one})
${intoTasks} FROM ${one} RETURNING id, NULL, NULL`;

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
  return `
WITH want AS (
  ${rowsSql(named ? namedColumns : columns, many)}
), keyed AS (
  ${intoKeys} FROM want WHERE key IS NOT NULL ON CONFLICT DO NOTHING RETURNING task_id${named ? names : ''}
), fresh AS (
  SELECT * FROM want WHERE (key IS NULL OR id IN (SELECT task_id FROM keyed)) ${named ? 'AND id IN (SELECT id FROM free)' : ''}
), tasks AS (
  ${intoTasks} FROM fresh
), stored AS (
  ${intoStories} FROM fresh
)
SELECT f.id, CASE WHEN f.opens = 0 THEN (SELECT latest.upstream_context_id FROM ${latestUpstreamContext} latest) END,
  CASE WHEN f.opens = 0 THEN (SELECT c.upstream_context_id FROM context c
    WHERE c.principal = f.principal AND c.agent_id = f.agent_id AND c.id = f.context_id
      AND c.delegation = coalesce(f.delegation, '')) END
FROM fresh f`;
}

const texts = {
  'create-lone-task': loneText,
  'create-task': textOf({ many: false, named: false }),
  'create-named-task': textOf({ many: false, named: true }),
  'create-tasks': textOf({ many: true, named: false }),
  'create-named-tasks': textOf({ many: true, named: true }),
};

/** Writes a new task with its first two events, its send key and its name in one commit shared with other writes. */
export async function createTask(task: NewTask): Promise<Created> {
  const lane = journalLane('journal:create-task', { order: 2, most: mostNoticed, statementsOf, resultsOf });
  const placed: Placed = { task, place: null };
  const created = lane(placed);
  // While the database writes.
  placeOf(placed);
  try {
    return await created;
  } catch (error) {
    if (isUniqueViolation(error, 'send_key_pkey')) return null;
    throw error;
  }
}

/** A task, and the key under which the bus speaks of its context, once it was worked out. */
interface Placed {
  task: NewTask;
  place: string | null;
}

function placeOf(placed: Placed): string {
  placed.place ??= contextKey(placed.task);
  return placed.place;
}

function statementsOf(batch: Placed[], isSole: boolean): [Statement, ...Statement[]] {
  const named = batch.some(({ task }) => task.name !== null);
  const rows = batch.map(({ task }) => (named ? [...valuesOf(task), ...nameOf(task)] : valuesOf(task)));
  const name = nameOfStatement(batch, { named, isSole });
  const values = parametersOf(named ? namedColumns : columns, rows);
  return [{ name, text: texts[name], values }, ...noticesOf('context', () => batch.map(placeOf))];
}

function nameOfStatement(
  [first, ...others]: Placed[],
  { named, isSole }: { named: boolean; isSole: boolean },
): keyof typeof texts {
  if (others.length > 0) return named ? 'create-named-tasks' : 'create-tasks';
  if (named) return 'create-named-task';
  return isSole && first?.task.opensContext && first.task.sendKey ? 'create-lone-task' : 'create-task';
}

function resultsOf(batch: Placed[], rows: TextRow[]): Created[] {
  const created = new Map(rows.map((row) => [row[0], row]));
  return batch.map((placed) => {
    const row = created.get(placed.task.id);
    if (row === undefined) return null;
    publishHere('context', placeOf(placed));
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
    task.sendKey ? keyWithin(task.delegation, task.sendKey.key) : null,
    task.sendKey?.bodyHash ?? null,
    task.at.toISOString(),
    task.opensContext ? 1 : 0,
  ];
}

/** A family of names of the owner's: agents that act for a principal name their tasks apart from them and from each other. */
export function familyWithin(delegation: string | null, family: NewName['family']): string {
  return delegation === null ? family : `${family} ${delegation}`;
}

/** In the order of the columns that a name has. */
function nameOf({ name, delegation }: NewTask): (string | null)[] {
  return [name ? familyWithin(delegation, name.family) : null, name?.clientId ?? null, name?.replaces ?? null];
}
