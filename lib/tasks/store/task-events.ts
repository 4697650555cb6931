import { setTimeout as sleep } from 'node:timers/promises';
import { WriteBatcher, type WriteKind } from '../../platform/batches';
import { executePipelined, type Statement, type TextRow } from '../../platform/db/pipelined-statements';
import { int4, json, nullable, row, uuid } from '../../platform/db/rows';
import { notFencedSql } from '../../platform/db/task-databases/leaving-owners';
import { databaseOf, perDatabase } from '../../platform/db/task-databases/task-databases';
import { inAvailableTaskDatabases, ofOwner } from '../../platform/db/task-databases/task-statements';
import { eventStream } from '../../platform/event-stream/event-stream';
import { newId } from '../../platform/ids';
import { addQueueDelay } from '../../platform/runtime/work-delay';
import { answeredBy, foldTask, type TaskEvent } from '../../protocol/a2a/core/events';
import type { AnsweredMessage } from '../../protocol/a2a/core/message-origin';
import type { Task } from '../../protocol/a2a/core/model';
import {
  COMPACT_AFTER_MS,
  COMPACT_BATCH,
  EVENT_PAGE_SIZE,
  SEGMENT_RETRY_MS,
  SEGMENT_WAIT_MS,
  TRACE_MAX_EXCHANGES,
} from '../limits';
import type { HttpExchange } from '../schema';
import type { StoredEvent, TaskRecord, TaskRef } from './records';
import { EventsUnavailableError, findOwnSegment, findSegment, readSegment } from './stream/segments';

/** The commits that all task writes of this process to one database share. */
const taskWrites = perDatabase((database): WriteBatcher<Statement, TextRow[]> => {
  const batcher = new WriteBatcher<Statement, TextRow[]>((statements) => executePipelined(database, statements));
  addQueueDelay(() => batcher.delayMs());
  return batcher;
});

/** Returns a function that writes items of one kind in the shared commits of their owner's database. */
export function batchedWriter<Item extends { principal: string }, Result>(
  kind: WriteKind<Item, Result, Statement, TextRow[]>,
): (item: Item) => Promise<Result> {
  const writerOf = perDatabase((database) => taskWrites(database).register(kind));
  return (item) => {
    const database = databaseOf(item.principal);
    return database instanceof Promise ? database.then((found) => writerOf(found)(item)) : writerOf(database)(item);
  };
}

const seqRow = row({ taskId: uuid(), seq: int4() });
const idRow = row({ taskId: uuid() });

/** Returns the last sequence number of a task; null if the task does not exist. */
export async function findLastSeq({ principal, id }: TaskRef): Promise<number | null> {
  const statement = 'SELECT id AS "taskId", last_seq AS seq FROM task WHERE principal = $2 AND id = $1';
  return (await seqRow.of(principal).queryFirst('find-last-seq', statement, [id, principal]))?.seq ?? null;
}

/** Returns the last sequence number of each of these tasks of any owner. */
export async function findLastSeqs(taskIds: string[]): Promise<Map<string, number>> {
  const statement = 'SELECT id AS "taskId", last_seq AS seq FROM task WHERE id = ANY($1::uuid[])';
  const rows = await seqRow.inAvailable().query('find-last-seqs', statement, [taskIds]);
  return new Map(rows.map(({ taskId, seq }) => [taskId, seq]));
}

/** Selects those of these tasks of any owner whose run no worker has started. */
export async function selectQueuedTasks(taskIds: string[]): Promise<Set<string>> {
  const statement = `SELECT t.id AS "taskId" FROM task t JOIN hub_run h ON h.principal = t.principal AND h.task_id = t.id
    WHERE t.id = ANY($1::uuid[]) AND h.state IN ('waiting', 'offered')`;
  const rows = await idRow.inAvailable().query('select-queued-tasks', statement, [taskIds]);
  return new Set(rows.map(({ taskId }) => taskId));
}

const eventRow = row({
  seq: int4(),
  payload: nullable(json<TaskEvent[] | TaskEvent>()),
  entry: nullable(json<[TaskEvent]>()),
});

/**
 * Reads the task's next events after `after`, in order, at least `limit` if that many exist, including those of a
 * running task that are only in the event stream.
 * @throws {EventsUnavailableError}
 */
export async function readEvents(task: TaskRef, after: number, limit = EVENT_PAGE_SIZE): Promise<StoredEvent[]> {
  if (!eventStream()) return readStoredEvents(task, after, limit);
  const startedAt = performance.now();
  for (;;) {
    // Read first, because a write to PostgreSQL moves events from the segment to rows.
    const own = findOwnSegment(task.id);
    const ownEvents = own && [...own.events];
    const segment = own ? null : await findSegment(task);
    const stored = await readStoredEvents(task, after, limit);
    if (!(own || segment) || stored.length >= limit) return stored;
    const reached = stored.at(-1)?.seq ?? after;
    if (ownEvents) return [...stored, ...ownEvents.filter(({ seq }) => seq > reached)];
    try {
      const streamed = segment ? await readSegment(segment, reached) : [];
      const current = await findSegment(task);
      if (current && current.after === segment?.after) return [...stored, ...streamed];
    } catch (cause) {
      // The writer, if it lives, writes to PostgreSQL now.
      if (performance.now() - startedAt > SEGMENT_WAIT_MS) throw new EventsUnavailableError({ cause });
      await sleep(SEGMENT_RETRY_MS);
    }
  }
}

/** Reads from the rows, or the compacted row if there is one. */
async function readStoredEvents({ principal, id }: TaskRef, after: number, limit: number): Promise<StoredEvent[]> {
  // Compacted entries are parsed here and not in SQL, because PostgreSQL accepts some JSON texts whose members it
  // cannot access.
  const rows = await eventRow.of(principal).query(
    'read-events',
    `SELECT seq, payload, NULL::json AS entry FROM task_event WHERE principal = $4 AND task_id = $1 AND seq > $2
     UNION ALL
     SELECT item.at::int, NULL, item.entry FROM compacted_task s, json_array_elements(s.events) WITH ORDINALITY AS item(entry, at)
     WHERE s.principal = $4 AND s.task_id = $1 AND item.at > $2
     ORDER BY seq LIMIT $3`,
    [id, after, limit, principal],
  );
  return rows.flatMap(({ seq, payload, entry }) => {
    const payloads = payload ?? (entry?.[0] as TaskEvent);
    return withSeq(Array.isArray(payloads) ? payloads : [payloads], seq, after);
  });
}

/**
 * Returns the events of one row after `after`, which may be within the row. `seq` is the row's last sequence number.
 */
function withSeq(events: TaskEvent[], seq: number, after: number): StoredEvent[] {
  const before = seq - events.length;
  return events.map((event, index) => ({ seq: before + index + 1, event })).slice(Math.max(0, after - before));
}

/** Loads the task built from all its events, and its last sequence number. */
export async function loadTask(record: TaskRecord): Promise<{ task: Task; seq: number; events: StoredEvent[] }> {
  const events: StoredEvent[] = [];
  for (;;) {
    const page = await readEvents(record, events.at(-1)?.seq ?? 0);
    events.push(...page);
    if (page.length < EVENT_PAGE_SIZE) break;
  }
  const identity = { id: record.id, contextId: record.contextId, createdAt: record.createdAt.toISOString() };
  return {
    task: foldTask(
      identity,
      events.map(({ event }) => event),
    ),
    seq: events.at(-1)?.seq ?? 0,
    events,
  };
}

/** Streams the events of a task from the first, page by page. The caller must have checked the owner of the task. */
export async function* streamTaskEvents(task: TaskRef): AsyncGenerator<StoredEvent> {
  for (let after = 0; ; ) {
    const page = await readEvents(task, after);
    if (page.length === 0) return;
    yield* page;
    after = page.at(-1)?.seq ?? after;
  }
}

/**
 * Compacts the events of tasks that finished more than COMPACT_AFTER_MS ago. Sequence numbers are preserved, so that a
 * reader that reconnects receives exactly the events after its last one. Safe to run concurrently on several nodes.
 */
export async function compactFinishedTasks(now: Date): Promise<number> {
  let compacted = 0;
  for (;;) {
    const count = await compactTaskEvents(new Date(now.getTime() - COMPACT_AFTER_MS), COMPACT_BATCH);
    compacted += count;
    if (count < COMPACT_BATCH) return compacted;
  }
}

/** A row's events as a list. */
const listSql = "CASE json_typeof(e.payload) WHEN 'array' THEN e.payload ELSE json_build_array(e.payload) END";

// One statement, which is therefore atomic. Concurrent nodes skip each other's rows.
const statement = `
WITH chosen AS (
  SELECT principal, id, agent_id, created_at, state FROM task
  WHERE NOT compacted AND state_at < $1 AND run_node IS NULL AND state IN ('completed', 'failed', 'canceled', 'rejected')
    AND ${notFencedSql('principal')}
  ORDER BY state_at LIMIT $2 FOR UPDATE SKIP LOCKED
), gathered AS (
  DELETE FROM task_event e USING chosen c WHERE e.principal = c.principal AND e.task_id = c.id
  RETURNING e.principal, e.task_id, e.seq, ${listSql} AS events, e.at
), compacted_tasks AS (
  INSERT INTO compacted_task (principal, task_id, events)
  SELECT principal, task_id, json_agg(json_build_array(item.event, at) ORDER BY seq, item.nth)
  FROM gathered, json_array_elements(events) WITH ORDINALITY AS item(event, nth) GROUP BY principal, task_id
), counted AS (
  INSERT INTO agent_task_day AS d (principal, agent_id, day, calls, completed, failed)
  SELECT principal, agent_id, (created_at AT TIME ZONE 'UTC')::date, count(*), count(*) FILTER (WHERE state = 'completed'),
    count(*) FILTER (WHERE state IN ('failed', 'rejected'))
  FROM chosen GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT ON CONSTRAINT agent_task_day_pkey DO UPDATE SET calls = d.calls + excluded.calls,
    completed = d.completed + excluded.completed, failed = d.failed + excluded.failed
)
UPDATE task t SET compacted = true FROM chosen c WHERE t.principal = c.principal AND t.id = c.id RETURNING t.id`;

/**
 * Compacts the events of at most `limit` tasks in each task database that finished before `finishedBefore` into one row each. Returns their
 * number.
 */
function compactTaskEvents(finishedBefore: Date, limit: number): Promise<number> {
  return inAvailableTaskDatabases.execute('compact-tasks', statement, [finishedBefore, limit]);
}

/** Stores an exchange if the task exists and has fewer than the maximum. */
export async function insertHttpExchange({ principal, id }: TaskRef, exchange: HttpExchange): Promise<void> {
  await ofOwner(principal).execute(
    'insert-http-exchange',
    `INSERT INTO task_http_exchange (principal, id, task_id, at, exchange) SELECT principal, $1, id, $3, $4 FROM task
     WHERE principal = $6 AND id = $2 AND (
       SELECT count(*) FROM task_http_exchange w WHERE w.principal = $6 AND w.task_id = $2 AND w.at >= task.created_at - interval '1 hour') < $5`,
    // PostgreSQL does not permit NUL in JSON text, but an agent may send it.
    [
      newId('call'),
      id,
      exchange.at,
      JSON.stringify(exchange).replaceAll('\\u0000', '\\ufffd'),
      TRACE_MAX_EXCHANGES,
      principal,
    ],
  );
}

const exchangeRow = row({ exchange: json<HttpExchange>() });

/** Lists the exchanges of a task, in order. The caller must have checked the owner of the task. */
export async function listHttpExchanges({ principal, id }: TaskRef): Promise<HttpExchange[]> {
  const rows = await exchangeRow
    .of(principal)
    .query(
      'http-exchanges',
      'SELECT exchange FROM task_http_exchange WHERE principal = $2 AND task_id = $1 ORDER BY at, id',
      [id, principal],
    );
  return rows.map(({ exchange }) => exchange);
}

/** Returns the last message to the agent among the task's events up to `seq`; null if there is none. */
export async function findAnsweredMessage(
  task: TaskRef,
  seq = Number.POSITIVE_INFINITY,
): Promise<AnsweredMessage | null> {
  let latest: AnsweredMessage | null = null;
  for await (const stored of streamTaskEvents(task)) {
    if (stored.seq > seq) break;
    latest = answeredBy(task.id, stored) ?? latest;
  }
  return latest;
}
