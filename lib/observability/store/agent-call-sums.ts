import { Prisma } from '../../generated/prisma/client';
import { db } from '../../platform/db/db';
import { float8, int4, nullable, type RowOf, row, text, textArray, timestamptz } from '../../platform/db/rows';
import type { CallFilter } from '../schema';
import { callsSql, whereSql } from './agent-call-rows';

const sumsRow = row({
  calls: int4(),
  failed: int4(),
  people: int4(),
  p50Ms: nullable(float8()),
  p95Ms: nullable(float8()),
});
const periodRow = row({ ...sumsRow.columns, start: text() });

/** Aggregates of calls. Durations are those of successful calls; null if there are none. */
type CallSums = RowOf<typeof sumsRow>;

const sums = Prisma.sql`count(*)::int AS calls, count(c.code)::int AS failed,
  count(DISTINCT nullif(c.caller, ''))::int AS people,
  (percentile_cont(0.5) WITHIN GROUP (ORDER BY c.ms) FILTER (WHERE c.code IS NULL))::float8 AS "p50Ms",
  (percentile_cont(0.95) WITHIN GROUP (ORDER BY c.ms) FILTER (WHERE c.code IS NULL))::float8 AS "p95Ms"`;

/** Returns aggregates of an agent's calls that match a filter. */
export async function sumAgentCalls(agentId: string, filter: CallFilter): Promise<CallSums> {
  const [found] = await sumsRow.queryIn(db(), Prisma.sql`SELECT ${sums} ${callsSql} ${whereSql(agentId, filter)}`);
  return found ?? { calls: 0, failed: 0, people: 0, p50Ms: null, p95Ms: null };
}

/** Returns aggregates for each hour or day that has calls. `start` is local time in the zone. */
export async function sumAgentCallsBy(
  agentId: string,
  filter: CallFilter,
  { by, zone }: { by: 'hour' | 'day'; zone: string },
): Promise<RowOf<typeof periodRow>[]> {
  return periodRow.queryIn(
    db(),
    Prisma.sql`SELECT to_char(date_trunc(${by}, c.at AT TIME ZONE ${zone}), 'YYYY-MM-DD"T"HH24:MI') AS start, ${sums}
      ${callsSql} ${whereSql(agentId, filter)} GROUP BY 1 ORDER BY 1`,
  );
}

const choicesRow = row({ methods: textArray(), codes: textArray() });

/** Returns the methods and error codes in an agent's log. */
export async function selectCallChoices(agentId: string): Promise<RowOf<typeof choicesRow>> {
  const found = await choicesRow.queryFirst(
    'agent-call-choices',
    `SELECT coalesce(array_agg(DISTINCT c.method) FILTER (WHERE c.method <> ''), '{}') AS methods,
       coalesce(array_agg(DISTINCT c.code) FILTER (WHERE c.code IS NOT NULL), '{}') AS codes
     FROM agent_call c WHERE c.agent_id = $1`,
    [agentId],
  );
  return found ?? { methods: [], codes: [] };
}

const lastTestRow = row({ passed: nullable(timestamptz()), introspected: nullable(timestamptz()) });

/**
 * Returns the times at which an agent last passed a test, and last introspected an active token in a test; null for
 * never.
 */
export async function selectTestResults(agentId: string): Promise<RowOf<typeof lastTestRow>> {
  const found = await lastTestRow.queryFirst(
    'agent-last-test',
    `SELECT
       (SELECT max(c.at) FROM agent_call c JOIN test_run r ON r.request_id = c.request_id AND r.agent_id = c.agent_id
        WHERE c.agent_id = $1 AND c.code IS NULL AND r.replay_of IS NULL) AS passed,
       (SELECT max(n.at) FROM introspection n WHERE n.agent_id = $1 AND n.active) AS introspected`,
    [agentId],
  );
  return found ?? { passed: null, introspected: null };
}
