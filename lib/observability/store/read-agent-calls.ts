import { Prisma } from '../../generated/prisma/client';
import { db } from '../../platform/db';
import type { CallFilter, CallOrigin, LoggedExchange } from '../schema';
import type { AgentCall } from './agent-calls';

/** A call as it stands in the log. */
export interface StoredCall extends Omit<AgentCall, 'wire'> {
  id: string;
  origin: CallOrigin;
  /** The call that it repeats. */
  replayOf: string | null;
  hasWire: boolean;
}

/** The last row of a page, newest first. */
export interface CallPosition {
  at: Date;
  id: string;
}

interface Row extends Omit<StoredCall, 'failure'> {
  code: string | null;
  message: string | null;
}

const columns = Prisma.sql`c.id, c.agent_id AS "agentId", c.at, c.ms, c.method, c.dialect, c.request_id AS "requestId", c.code,
  c.message, c.caller, c.wire IS NOT NULL AS "hasWire", r.replay_of AS "replayOf",
  CASE WHEN r.request_id IS NULL THEN 'people' WHEN r.replay_of IS NULL THEN 'test' ELSE 'replay' END AS origin`;
const from = Prisma.sql`FROM agent_call c LEFT JOIN console_run r ON r.request_id = c.request_id AND r.agent_id = c.agent_id`;

/** The condition for an agent's calls that a filter finds; lists, counts and sums alike ask by it. */
function where(agentId: string, filter: CallFilter): Prisma.Sql {
  const { status, code, method, caller, origin, q, from: since, to } = filter;
  const parts = [Prisma.sql`c.agent_id = ${agentId}`];
  if (status) parts.push(status === 'ok' ? Prisma.sql`c.code IS NULL` : Prisma.sql`c.code IS NOT NULL`);
  if (code) parts.push(Prisma.sql`c.code = ${code}`);
  if (method) parts.push(Prisma.sql`c.method = ${method}`);
  if (caller) parts.push(Prisma.sql`c.caller = ${caller}`);
  if (origin === 'people') parts.push(Prisma.sql`r.request_id IS NULL`);
  if (origin === 'test') parts.push(Prisma.sql`r.request_id IS NOT NULL AND r.replay_of IS NULL`);
  if (origin === 'replay') parts.push(Prisma.sql`r.replay_of IS NOT NULL`);
  if (q) parts.push(Prisma.sql`position(${q} IN c.request_id) > 0`);
  if (since) parts.push(Prisma.sql`c.at >= ${since}`);
  if (to) parts.push(Prisma.sql`c.at < ${to}`);
  return Prisma.sql`WHERE ${Prisma.join(parts, ' AND ')}`;
}

/** Calls of an agent, newest first; with `before` those behind that one. */
export async function selectAgentCalls(
  agentId: string,
  filter: CallFilter,
  { before, limit }: { before: CallPosition | null; limit: number },
): Promise<StoredCall[]> {
  const page = before ? Prisma.sql`AND (c.at, c.id) < (${before.at}, ${before.id})` : Prisma.empty;
  const rows = await db().$queryRaw<Row[]>`
    SELECT ${columns} ${from} ${where(agentId, filter)} ${page} ORDER BY c.at DESC, c.id DESC LIMIT ${limit}`;
  return rows.map(toCall);
}

/** One call of an agent with what went over the wire, when that was kept. */
export async function selectAgentCall(
  agentId: string,
  id: string,
): Promise<{ call: StoredCall; wire: LoggedExchange | null } | null> {
  const rows = await db().$queryRaw<(Row & { wire: LoggedExchange | null })[]>`
    SELECT ${columns}, c.wire ${from} WHERE c.agent_id = ${agentId} AND c.id = ${id}`;
  return rows[0] ? { call: toCall(rows[0]), wire: rows[0].wire } : null;
}

/** The calls that belong to one request of the console. */
export async function selectCallsOfRun(
  agentId: string,
  requestId: string,
): Promise<{ call: StoredCall; wire: LoggedExchange | null }[]> {
  const rows = await db().$queryRaw<(Row & { wire: LoggedExchange | null })[]>`
    SELECT ${columns}, c.wire ${from} WHERE c.agent_id = ${agentId} AND c.request_id = ${requestId} ORDER BY c.at, c.id`;
  return rows.map((row) => ({ call: toCall(row), wire: row.wire }));
}

function toCall({ code, message, ...row }: Row): StoredCall {
  const { id, agentId, at, ms, method, dialect, requestId, caller, origin, replayOf, hasWire } = row;
  const failure = code === null ? null : { code, message: message ?? '' };
  return { id, agentId, at, ms, method, dialect, requestId, caller, origin, replayOf, hasWire, failure };
}

/** What the calls that a filter finds add up to. Times are of those that went well; null when there are none. */
export interface CallSums {
  calls: number;
  failed: number;
  people: number;
  p50Ms: number | null;
  p95Ms: number | null;
}

const sums = Prisma.sql`count(*)::int AS calls, count(c.code)::int AS failed,
  count(DISTINCT nullif(c.caller, ''))::int AS people,
  (percentile_cont(0.5) WITHIN GROUP (ORDER BY c.ms) FILTER (WHERE c.code IS NULL))::float8 AS "p50Ms",
  (percentile_cont(0.95) WITHIN GROUP (ORDER BY c.ms) FILTER (WHERE c.code IS NULL))::float8 AS "p95Ms"`;

export async function sumAgentCalls(agentId: string, filter: CallFilter): Promise<CallSums> {
  const [row] = await db().$queryRaw<CallSums[]>`SELECT ${sums} ${from} ${where(agentId, filter)}`;
  return row ?? { calls: 0, failed: 0, people: 0, p50Ms: null, p95Ms: null };
}

/** The same for each hour or day of a time zone in which there were calls; `start` is that zone's wall clock, without zone. */
export async function sumAgentCallsBy(
  agentId: string,
  filter: CallFilter,
  { by, zone }: { by: 'hour' | 'day'; zone: string },
): Promise<(CallSums & { start: string })[]> {
  return db().$queryRaw<(CallSums & { start: string })[]>`
    SELECT to_char(date_trunc(${by}, c.at AT TIME ZONE ${zone}), 'YYYY-MM-DD"T"HH24:MI') AS start, ${sums}
    ${from} ${where(agentId, filter)} GROUP BY 1 ORDER BY 1`;
}

/** Which methods and kinds of failure the log of an agent holds. */
export async function selectCallChoices(agentId: string): Promise<{ methods: string[]; codes: string[] }> {
  const [row] = await db().$queryRaw<{ methods: string[]; codes: string[] }[]>`
    SELECT coalesce(array_agg(DISTINCT c.method) FILTER (WHERE c.method <> ''), '{}') AS methods,
      coalesce(array_agg(DISTINCT c.code) FILTER (WHERE c.code IS NOT NULL), '{}') AS codes
    FROM agent_call c WHERE c.agent_id = ${agentId}`;
  return row ?? { methods: [], codes: [] };
}
