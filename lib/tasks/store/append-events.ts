import { notifyStatements, publishCommitted } from '../../platform/bus';
import { isUniqueViolation } from '../../platform/db/db';
import { executePipelined, type Statement, type TextRow } from '../../platform/db/pipelined-statements';
import { row, text } from '../../platform/db/rows';
import { type Columns, encodeParams, selectUnnest } from '../../platform/db/sql';
import { databaseOf } from '../../platform/db/task-databases/task-databases';
import { eventStream } from '../../platform/event-stream/event-stream';
import { once } from '../../platform/runtime/once';
import { statusOf, type TaskEvent } from '../../protocol/a2a/core/events';
import type { TaskStatus } from '../../protocol/a2a/core/model';
import { MAX_NOTIFY_KEYS } from '../limits';
import type { Owner } from './find-tasks';
import { type HubRunChange, hubChangesSql } from './hub-runs';
import type { CancelRequest } from './pending-cancel-rows';
import { scopeKey } from './send-keys';
import { batchedWriter } from './task-events';

export interface Append {
  principal: string;
  taskId: string;
  /** The task's expected last sequence number, after which the events follow. */
  after: number;
  events: TaskEvent[];
  /** The node that runs the task from now on; null if the turn has ended. */
  runNode: string | null;
  /** The node that must still own the run; absent for other writers, such as a cancel or a follow-up. */
  expectedOwner?: string;
  /** The agent's ids of the task and its context, as far as they are known. */
  upstreamTaskId?: string;
  upstreamContextId?: string;
  /** Set by a send that continues the task. */
  caller?: { credentialId: string; clientId: string };
  /** Changes the task's run, for an agent that connects to Parley. */
  hub?: HubRunChange;
  /**
   * Begins a segment of the event stream after these events, with the owner's token, unless the task has push
   * notification configurations. Absent for a writer that does not continue in the stream.
   */
  streamKey?: string;
  /** The time at which the events were received. Events of one commit have the latest time. */
  at: Date;
  /** Called after the commit and before subscribers are notified. `hasSegment`: a segment has begun. */
  onCommit?: (hasSegment: boolean) => void;
}

const plainColumns: Columns = {
  principal: 'text',
  id: 'uuid',
  after: 'int',
  last: 'int',
  state: 'text',
  state_at: 'timestamptz',
  run_node: 'text',
  upstream: 'text',
  context: 'text',
  credential: 'text',
  client: 'text',
  held: 'text',
  events: 'json',
};

/** The columns and statements of this process; those without an event stream do not use `stream_key`. */
const prepared = once(() => {
  const withStream = eventStream() !== null;
  const columns: Columns = withStream ? { ...plainColumns, stream: 'text' } : plainColumns;
  return { columns, hubColumns: { ...columns, hub: 'json' } as Columns, sql: statementsFor(columns, withStream) };
});

/** The parameters after those of the columns: the time of the batch, and the data of another row of the commit. */
const keyParameters = ['time', 'principal', 'agentId', 'key', 'bodyHash'] as const;
const cancelParameters = ['time', 'request'] as const;

/** Returns the placeholders, by name, of the parameters that follow those of the columns in the order of `names`. */
function placeholdersAfter<Name extends string>(columns: Columns, names: readonly Name[]): Record<Name, string> {
  const first = Object.keys(columns).length + 1;
  return Object.fromEntries(names.map((name, index) => [name, `$${first + index}`])) as Record<Name, string>;
}

/** Returns the SQL of all appends. */
function statementsFor(columns: Columns, withStream: boolean) {
  const hubColumns: Columns = { ...columns, hub: 'json' };
  const parameters = placeholdersAfter(columns, keyParameters);
  const hubParameters = placeholdersAfter(hubColumns, keyParameters);
  const { request } = placeholdersAfter(columns, cancelParameters);
  const [{ time }, { time: hubTime }] = [parameters, hubParameters];
  // A segment moves events to PostgreSQL, so no other writer may append while one is open.
  const setStream = withStream
    ? `, stream_key = CASE WHEN w.stream IS NOT NULL AND NOT EXISTS (SELECT FROM push_config p
      WHERE p.principal = t.principal AND p.task_id = t.id) THEN w.stream END`
    : '';
  const checkStream = withStream ? ' AND (w.held IS NOT NULL OR t.stream_key IS NULL)' : '';
  // Compare-and-set on last_seq and, for runs, on the owning node: a superseded writer (by another node or a cancel)
  // changes nothing, and its result is false. Events that are written together form one row, because each row requires
  // an index entry.
  const updateSql = (rows: string, more = ''): string => `
  UPDATE task t SET last_seq = w.last, state = coalesce(w.state, t.state), state_at = coalesce(w.state_at, t.state_at),
    run_node = w.run_node, upstream_task_id = coalesce(w.upstream, t.upstream_task_id),
    upstream_context_id = coalesce(w.context, t.upstream_context_id),
    credential_id = coalesce(w.credential, t.credential_id), client_id = coalesce(w.client, t.client_id)${setStream}
  FROM (${rows}) w WHERE t.principal = w.principal AND t.id = w.id AND t.last_seq = w.after
    AND (w.held IS NULL OR t.run_node = w.held)${checkStream}
  RETURNING t.principal, t.id, w.last, w.events${more}${withStream ? ', t.stream_key' : ''}`;
  const insertEvents = (parameter: string): string =>
    `INSERT INTO task_event (principal, task_id, seq, payload, at) SELECT principal, id, last, events, ${parameter} FROM done`;
  const insertKey = ({ time: at, principal, agentId, key, bodyHash }: typeof parameters): string =>
    `INSERT INTO idempotency_key (principal, agent_id, key, body_hash, task_id, created_at)
    SELECT ${principal}, ${agentId}, ${key}, ${bodyHash}, id, ${at} FROM done`;
  const one = updateSql(selectUnnest(columns, false));
  const hubOne = updateSql(selectUnnest(hubColumns, false), ', w.hub');
  const selectDone = withStream
    ? `SELECT string_agg(CASE WHEN stream_key IS NULL THEN id::text ELSE id || '+' END, ',') FROM done`
    : `SELECT string_agg(id::text, ',') FROM done`;
  const appendMany = (update: string): string =>
    `WITH done AS (${update}), stored AS (${insertEvents(time)}) ${selectDone}`;
  const appendHub = (update: string): string =>
    `WITH done AS (${update}), stored AS (${insertEvents(hubTime)}), ${hubChangesSql(hubTime)} ${selectDone}`;
  return {
    one: withStream ? appendMany(one) : `WITH done AS (${one}) ${insertEvents(time)} RETURNING task_id`,
    many: appendMany(updateSql(selectUnnest(columns, true))),
    hubOne: appendHub(hubOne),
    hubMany: appendHub(updateSql(selectUnnest(hubColumns, true), ', w.hub')),
    oneWithKey: `WITH done AS (${one}), keyed AS (${insertKey(parameters)}) ${insertEvents(time)} RETURNING task_id`,
    hubOneWithKey: `WITH done AS (${hubOne}), stored AS (${insertEvents(hubTime)}),
      keyed AS (${insertKey(hubParameters)}), ${hubChangesSql(hubTime)} SELECT id FROM done`,
    oneWithCancel: `WITH done AS (${one}), pending AS (
      INSERT INTO pending_cancel (principal, task_id, request, due_at, requested_at)
      SELECT principal, id, ${request}::json, ${time}, ${time} FROM done
      ON CONFLICT ON CONSTRAINT pending_cancel_pkey DO UPDATE SET request = excluded.request, requested_at = excluded.requested_at
    ) ${insertEvents(time)} RETURNING task_id`,
  };
}

/**
 * Appends events to a task. They are persisted when the promise resolves, in one commit with other writes of the
 * process. Returns false if the task is no longer at `after`, because another writer appended to it; this writer must
 * then stop.
 */
export const appendEvents = batchedWriter({ order: 1, maxBatch: MAX_NOTIFY_KEYS, statementsOf, resultsOf });

/**
 * Appends the message of a send and acquires its idempotency key, in a separate commit. Returns false and writes
 * nothing in the cases of {@link appendEvents}, and if the key already exists.
 */
export async function appendWithIdempotencyKey(
  append: Append,
  { principal, agentId, delegation, key, bodyHash }: Owner & { key: string; bodyHash: string },
): Promise<boolean> {
  const values = [...valuesOf([append]), principal, agentId, scopeKey(delegation, key), bodyHash];
  try {
    const statement = append.hub
      ? { name: 'append-to-hub-task-with-idempotency-key', text: prepared().sql.hubOneWithKey, values }
      : { name: 'append-with-idempotency-key', text: prepared().sql.oneWithKey, values };
    const [rows = []] = await executePipelined(await databaseOf(append.principal), [
      statement,
      ...notificationsOf([append]),
    ]);
    return resultsOf([append], rows)[0] === true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/**
 * Appends the cancel of a task for which the agent has not assigned an id, and stores the request that is sent when it
 * does, in a separate commit. Returns false and writes nothing in the cases of {@link appendEvents}.
 */
export async function appendWithPendingCancel(append: Append, request: CancelRequest): Promise<boolean> {
  const values = [...valuesOf([append]), JSON.stringify(request)];
  const statement = { name: 'append-with-pending-cancel', text: prepared().sql.oneWithCancel, values };
  const [rows = []] = await executePipelined(await databaseOf(append.principal), [
    statement,
    ...notificationsOf([append]),
  ]);
  return resultsOf([append], rows)[0] === true;
}

function statementsOf(batch: Append[]): [Statement, ...Statement[]] {
  const chosen = [...firstPerTask(batch).values()];
  const values = valuesOf(chosen);
  const many = chosen.length > 1;
  return [{ ...statementFor(chosen, many), values }, ...notificationsOf(chosen)];
}

function notificationsOf(batch: Append[]): Statement[] {
  const waitingFor = waitingRunAgents(batch);
  return [
    ...notifyStatements('task', () => batch.map(({ taskId }) => taskId)),
    ...(waitingFor.length > 0 ? notifyStatements('hub', () => waitingFor) : []),
  ];
}

function statementFor(batch: Append[], many: boolean): Pick<Statement, 'name' | 'text'> {
  const { sql } = prepared();
  if (hasHubChange(batch)) {
    return many ? { name: 'append-to-hub-tasks', text: sql.hubMany } : { name: 'append-to-hub-task', text: sql.hubOne };
  }
  return many ? { name: 'append-to-tasks', text: sql.many } : { name: 'append-to-task', text: sql.one };
}

function hasHubChange(batch: Append[]): boolean {
  return batch.some(({ hub }) => hub !== undefined);
}

/** Returns the agents whose workers can claim a run. */
function waitingRunAgents(batch: Append[]): string[] {
  return batch.flatMap(({ hub }) => (hub && 'start' in hub && hub.start.epoch === 0 ? [hub.start.agentId] : []));
}

function resultsOf(batch: Append[], rows: TextRow[]): boolean[] {
  const done = new Map(rows[0]?.[0]?.split(',').map((text) => [text.slice(0, UUID_LENGTH), text.endsWith('+')]));
  const first = firstPerTask(batch);
  for (const [id, append] of first) {
    const hasSegment = done.get(id);
    if (hasSegment === undefined) continue;
    append.onCommit?.(hasSegment);
    publishCommitted('task', id);
    for (const agentId of waitingRunAgents([append])) publishCommitted('hub', agentId);
  }
  return batch.map((append) => first.get(append.taskId) === append && done.has(append.taskId));
}

/** A `+` after an id means that a segment has begun. */
const UUID_LENGTH = 36;

/** Returns the first append per task, which supersedes any further append to the same task in a batch. */
function firstPerTask(batch: Append[]): Map<string, Append> {
  const first = new Map<string, Append>();
  for (const append of batch) if (!first.has(append.taskId)) first.set(append.taskId, append);
  return first;
}

function valuesOf(batch: Append[]): (string | null)[] {
  const { columns, hubColumns } = prepared();
  const withHub = hasHubChange(batch);
  const withStream = columns !== plainColumns;
  const values = encodeParams(
    withHub ? hubColumns : columns,
    batch.map((append) => {
      const row = rowOf(append);
      if (withStream) row.push(append.streamKey ?? null);
      if (withHub) row.push(append.hub ? JSON.stringify(append.hub) : null);
      return row;
    }),
  );
  values.push(batch.at(-1)?.at.toISOString() ?? null);
  return values;
}

/** Returns the values in the order of `plainColumns`. */
function rowOf(append: Append): (string | number | null)[] {
  const { principal, taskId, after, events, runNode, expectedOwner, upstreamTaskId, upstreamContextId, caller } =
    append;
  let status: TaskStatus | null = null;
  for (const event of events) status = statusOf(event) ?? status;
  return [
    principal,
    taskId,
    after,
    after + events.length,
    status?.state ?? null,
    status?.timestamp ?? null,
    runNode,
    upstreamTaskId ?? null,
    upstreamContextId ?? null,
    caller?.credentialId ?? null,
    caller?.clientId ?? null,
    expectedOwner ?? null,
    JSON.stringify(events),
  ];
}

const payloadRow = row({ payload: text() });

/**
 * Returns true if an append was persisted although its response was lost with the connection: the task has reached its
 * last event, and the stored text is identical.
 */
export async function wasAppended({ principal, taskId, after, events }: Append): Promise<boolean> {
  const rows = await payloadRow.of(principal).query(
    'was-appended',
    `SELECT e.payload::text AS payload FROM task_event e JOIN task t ON t.principal = e.principal AND t.id = e.task_id
     WHERE e.principal = $3 AND e.task_id = $1 AND e.seq = $2 AND t.last_seq >= $2`,
    [taskId, after + events.length, principal],
  );
  return rows[0]?.payload === JSON.stringify(events);
}
