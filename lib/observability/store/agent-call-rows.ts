import { Prisma } from '../../generated/prisma/client';
import { type Db, db } from '../../platform/db/db';
import { maintainPartitions } from '../../platform/db/partitions';
import { bool, int4, json, nullable, type RowOf, row, text, timestamptz } from '../../platform/db/rows';
import { encodeArray, execute, executeIn } from '../../platform/db/sql';
import { cutoffOf } from '../../platform/runtime/env';
import { DAY_MS } from '../../platform/time';
import { MAX_LOGGED_PER_AGENT, PRUNE_LOOKBACK_MS } from '../limits';
import type { CallFailure, CallFilter, CallOrigin, LoggedExchange } from '../schema';
import { bucketOf, type CallerHour, countedSql, type MissingCalls, pruneCallHours } from './call-hours';

/** A call to an agent, to be logged. */
export interface AgentCall {
  agentId: string;
  at: Date;
  /** Milliseconds until the end of the response. */
  ms: number;
  /** Protocol method; empty if the agent was not called. */
  method: string;
  /** A2A version and binding of the request. */
  dialect: string;
  requestId: string;
  /** The `sub` of the token sent to the agent; empty if unknown. */
  caller: string;
  /** Parley's id of the task; empty for calls without a task. */
  taskId: string;
  failure: CallFailure | null;
  /** The HTTP exchange; for failed calls and for calls from the console. */
  exchange: LoggedExchange | null;
}

/** Calls to insert in one statement, and those that are only counted. */
export interface CallBatch {
  calls: (AgentCall & { id: string })[];
  missing: MissingCalls[];
  /** The callers of the missing calls. */
  callers: CallerHour[];
}

/**
 * Inserts calls and adds all of them to the figures of their hours, in one statement. Does nothing if the batch,
 * identified by its first call, has already been inserted. Stores the exchange of a successful call only if it is from
 * the console.
 */
export async function insertAgentCalls({ calls, missing, callers }: CallBatch): Promise<void> {
  await execute(
    'insert-agent-calls',
    `WITH fresh AS (
       SELECT WHERE NOT EXISTS (SELECT FROM agent_call WHERE id = ($1::text[])[1] AND at = ($3::timestamptz[])[1])
     ), n AS (
       SELECT n.* FROM fresh, unnest($1::text[], $2::text[], $3::timestamptz[], $4::int[], $5::text[], $6::text[],
         $7::text[], $8::text[], $9::text[], $10::json[], $11::text[], $12::text[], $13::int[])
         AS n(id, agent_id, at, ms, method, dialect, request_id, code, message, exchange, caller, task_id, bucket)
     ), m AS (
       SELECT m.* FROM fresh, unnest($14::text[], $15::timestamptz[], $16::int[], $17::int[])
         AS m(agent_id, hour, bucket, calls)
     ), p AS (
       SELECT p.* FROM fresh, unnest($18::text[], $19::timestamptz[], $20::text[]) AS p(agent_id, hour, caller)
     ), ${countedSql} INSERT INTO agent_call
       (id, agent_id, at, ms, method, dialect, request_id, code, message, exchange, caller, task_id)
     SELECT n.id, n.agent_id, n.at, n.ms, n.method, n.dialect, n.request_id, n.code, n.message,
       CASE WHEN n.code IS NOT NULL OR r.request_id IS NOT NULL THEN n.exchange END, n.caller, n.task_id
     FROM n LEFT JOIN test_run r ON r.request_id = n.request_id AND r.agent_id = n.agent_id`,
    [...callColumns(calls), ...missingColumns(missing), ...callerColumns(callers)].map(encodeArray),
  );
}

function callColumns(calls: CallBatch['calls']): (string | number | null)[][] {
  return [
    calls.map(({ id }) => id),
    calls.map(({ agentId }) => agentId),
    calls.map(({ at }) => at.toISOString()),
    calls.map(({ ms }) => Math.round(ms)),
    calls.map(({ method }) => method),
    calls.map(({ dialect }) => dialect),
    calls.map(({ requestId }) => requestId),
    calls.map(({ failure }) => failure?.code ?? null),
    // PostgreSQL's text type excludes NUL.
    calls.map(({ failure }) => failure?.message.replaceAll('\0', '\ufffd') ?? null),
    calls.map(({ exchange }) => exchange && JSON.stringify(exchange)),
    calls.map(({ caller }) => caller),
    calls.map(({ taskId }) => taskId),
    calls.map(bucketOf),
  ];
}

function missingColumns(missing: MissingCalls[]): (string | number)[][] {
  return [
    missing.map(({ agentId }) => agentId),
    missing.map(({ hour }) => new Date(hour).toISOString()),
    missing.map(({ bucket }) => bucket),
    missing.map(({ calls }) => calls),
  ];
}

function callerColumns(callers: CallerHour[]): string[][] {
  return [
    callers.map(({ agentId }) => agentId),
    callers.map(({ hour }) => new Date(hour).toISOString()),
    callers.map(({ caller }) => caller),
  ];
}

/**
 * Drops the days and hours whose retention time has ended, and deletes an agent's oldest calls above the maximum.
 * Checks only agents with recent calls and more than the maximum in their hours, so that the cost does not grow with
 * the log.
 */
export async function pruneAgentCalls(now: Date): Promise<void> {
  const cutoff = cutoffOf('calls', now);
  if (!cutoff) return;
  await maintainPartitions('agent_call', { now, cutoff });
  await pruneCallHours(now);
  await execute(
    'prune-agent-calls',
    `WITH busy AS MATERIALIZED (
       SELECT h.agent_id FROM agent_call_hour h
       WHERE h.hour >= $3 AND h.agent_id IN (SELECT agent_id FROM agent_call_hour WHERE hour >= $2)
       GROUP BY 1 HAVING sum(h.calls) > $1
     ), beyond AS MATERIALIZED (
       SELECT b.agent_id, k.is_good, c.at, c.id FROM busy b CROSS JOIN (VALUES (true), (false)) k(is_good)
       CROSS JOIN LATERAL (SELECT at, id FROM agent_call
         WHERE agent_id = b.agent_id AND (code IS NULL) = k.is_good ORDER BY at DESC, id DESC OFFSET $1 LIMIT 1) c
     )
     DELETE FROM agent_call c USING beyond b
     WHERE c.agent_id = b.agent_id AND (c.code IS NULL) = b.is_good AND (c.at, c.id) <= (b.at, b.id)`,
    [MAX_LOGGED_PER_AGENT, new Date(now.getTime() - PRUNE_LOOKBACK_MS), new Date(cutoff.getTime() - DAY_MS)],
  );
}

/** Erases the content of these tasks from the log: exchanges, and the texts of failures. */
export async function eraseCallContent(tx: Db, tasks: { id: string; agentId: string }[]): Promise<void> {
  await executeIn(
    tx,
    Prisma.sql`UPDATE agent_call SET exchange = NULL, message = CASE WHEN message IS NOT NULL THEN '' END
      WHERE agent_id = ANY(${[...new Set(tasks.map(({ agentId }) => agentId))]})
        AND task_id = ANY(${tasks.map(({ id }) => id)}) AND (exchange IS NOT NULL OR message <> '')`,
  );
}

/** A logged call, without its exchange. */
export interface StoredCall extends Omit<AgentCall, 'exchange'> {
  id: string;
  origin: CallOrigin;
  /** The call that this one replays. */
  replayOf: string | null;
  hasExchange: boolean;
}

/** Keyset cursor: the last row of a page, newest first. */
export interface CallPosition {
  at: Date;
  id: string;
}

const callRow = row({
  id: text(),
  agentId: text(),
  at: timestamptz(),
  ms: int4(),
  method: text(),
  dialect: text(),
  requestId: text(),
  code: nullable(text()),
  message: nullable(text()),
  caller: text(),
  taskId: text(),
  hasExchange: bool(),
  replayOf: nullable(text()),
  origin: text<CallOrigin>(),
});
const callWithWireRow = row({ ...callRow.columns, exchange: nullable(json<LoggedExchange>()) });

const columns = Prisma.sql`c.id, c.agent_id AS "agentId", c.at, c.ms, c.method, c.dialect, c.request_id AS "requestId", c.code,
  c.message, c.caller, c.task_id AS "taskId", c.exchange IS NOT NULL AS "hasExchange", r.replay_of AS "replayOf",
  CASE WHEN r.request_id IS NULL THEN 'people' WHEN r.replay_of IS NULL THEN 'test' ELSE 'replay' END AS origin`;
/** SQL for the calls `c`, each with its test run `r`, if any. */
export const callsSql = Prisma.sql`FROM agent_call c LEFT JOIN test_run r ON r.request_id = c.request_id AND r.agent_id = c.agent_id`;

/** Returns the condition for an agent's calls that match a filter. Used by all queries. */
export function whereSql(agentId: string, filter: CallFilter): Prisma.Sql {
  const { status, code, method, caller, origin, q, from: since, to } = filter;
  const parts = [Prisma.sql`c.agent_id = ${agentId}`];
  if (status) parts.push(status === 'ok' ? Prisma.sql`c.code IS NULL` : Prisma.sql`c.code IS NOT NULL`);
  if (code) parts.push(Prisma.sql`c.code = ${code}`);
  if (method) parts.push(Prisma.sql`c.method = ${method}`);
  if (caller) parts.push(Prisma.sql`c.caller = ${caller}`);
  if (origin === 'people') parts.push(Prisma.sql`r.request_id IS NULL`);
  if (origin === 'test') parts.push(Prisma.sql`r.request_id IS NOT NULL AND r.replay_of IS NULL`);
  if (origin === 'replay') parts.push(Prisma.sql`r.replay_of IS NOT NULL`);
  if (q) {
    parts.push(Prisma.sql`(position(${q} IN c.request_id) > 0 OR position(${q} IN c.task_id) > 0
      OR c.caller = ${q} OR c.code = ${q} OR c.method = ${q})`);
  }
  if (since) parts.push(Prisma.sql`c.at >= ${since}`);
  if (to) parts.push(Prisma.sql`c.at < ${to}`);
  return Prisma.sql`WHERE ${Prisma.join(parts, ' AND ')}`;
}

/** Returns a page of an agent's calls, newest first, after the position `before`. */
export async function selectAgentCalls(
  agentId: string,
  filter: CallFilter,
  { before, limit }: { before: CallPosition | null; limit: number },
): Promise<StoredCall[]> {
  const page = before ? Prisma.sql`AND (c.at, c.id) < (${before.at}, ${before.id})` : Prisma.empty;
  const rows = await callRow.queryIn(
    db(),
    Prisma.sql`SELECT ${columns} ${callsSql} ${whereSql(agentId, filter)} ${page} ORDER BY c.at DESC, c.id DESC LIMIT ${limit}`,
  );
  return rows.map(toCall);
}

/** Returns the latest calls of all these agents together, newest first. Reads at most `limit` calls of each. */
export async function selectLatestCalls(agentIds: string[], limit: number): Promise<StoredCall[]> {
  const rows = await callRow.queryIn(
    db(),
    Prisma.sql`SELECT ${columns} FROM unnest(${agentIds}::text[]) AS own(id)
      CROSS JOIN LATERAL (SELECT * FROM agent_call WHERE agent_id = own.id ORDER BY at DESC, id DESC LIMIT ${limit}) c
      LEFT JOIN test_run r ON r.request_id = c.request_id AND r.agent_id = c.agent_id
      ORDER BY c.at DESC, c.id DESC LIMIT ${limit}`,
  );
  return rows.map(toCall);
}

/** Returns one call with its exchange, if that is stored; null if the call is not in the log. */
export async function selectAgentCall(
  agentId: string,
  id: string,
): Promise<{ call: StoredCall; exchange: LoggedExchange | null } | null> {
  const rows = await callWithWireRow.queryIn(
    db(),
    Prisma.sql`SELECT ${columns}, c.exchange ${callsSql} WHERE c.agent_id = ${agentId} AND c.id = ${id}`,
  );
  return rows[0] ? { call: toCall(rows[0]), exchange: rows[0].exchange } : null;
}

/** Returns the calls of one request from the console. */
export async function selectCallsOfRun(
  agentId: string,
  requestId: string,
): Promise<{ call: StoredCall; exchange: LoggedExchange | null }[]> {
  const rows = await callWithWireRow.queryIn(
    db(),
    Prisma.sql`SELECT ${columns}, c.exchange ${callsSql}
      WHERE c.agent_id = ${agentId} AND c.request_id = ${requestId} ORDER BY c.at, c.id`,
  );
  return rows.map(({ exchange, ...call }) => ({ call: toCall(call), exchange }));
}

function toCall({ code, message, ...call }: RowOf<typeof callRow>): StoredCall {
  const { id, agentId, at, ms, method, dialect, requestId, caller, taskId } = call;
  const { origin, replayOf, hasExchange } = call;
  const failure = code === null ? null : { code, message: message ?? '' };
  return { id, agentId, at, ms, method, dialect, requestId, caller, taskId, origin, replayOf, hasExchange, failure };
}
