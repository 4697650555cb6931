import { int4, type RowOf, row, text } from '../../platform/db/rows';
import { execute } from '../../platform/db/sql';
import { cutoffOf } from '../../platform/runtime/env';

/** Factor between the widths of adjacent buckets of durations. It limits the error of a percentile to 5 %. */
const BUCKET_GROWTH = 1.1;

/** Calls of an agent in an hour and a bucket of durations that are not in the call log. */
export interface MissingCalls {
  agentId: string;
  /** Start of the hour, milliseconds since 1970. */
  hour: number;
  bucket: number;
  calls: number;
}

/** A caller of an agent in an hour. */
export interface CallerHour extends Pick<MissingCalls, 'agentId' | 'hour'> {
  caller: string;
}

/** Returns the bucket of a call: 0 for a failed one. */
export function bucketOf({ ms, failure }: { ms: number; failure: object | null }): number {
  return failure ? 0 : 1 + Math.floor(Math.log(Math.max(Math.round(ms), 1)) / Math.log(BUCKET_GROWTH));
}

/**
 * CTEs that add calls and callers to the hourly tables: the calls in `n`, those in `m` that are missing from the log, and
 * the callers `p` of the latter. Sorted, so that two nodes lock rows in the same order.
 */
export const countedSql = `counted AS (
    INSERT INTO agent_call_hour (agent_id, hour, bucket, calls, missing)
    SELECT c.agent_id, c.hour, c.bucket, sum(c.calls)::int, sum(c.missing)::int FROM (
      SELECT n.agent_id, date_trunc('hour', n.at, 'UTC') AS hour, n.bucket, 1 AS calls, 0 AS missing FROM n
      UNION ALL SELECT m.agent_id, m.hour, m.bucket, m.calls, m.calls FROM m
    ) c GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (agent_id, hour, bucket) DO UPDATE
      SET calls = agent_call_hour.calls + excluded.calls, missing = agent_call_hour.missing + excluded.missing
  ), callers AS (
    INSERT INTO agent_caller_hour (agent_id, hour, caller)
    SELECT n.agent_id, date_trunc('hour', n.at, 'UTC') AS hour, n.caller FROM n WHERE n.caller <> ''
    UNION SELECT p.agent_id, p.hour, p.caller FROM p ORDER BY 1, 2, 3
    ON CONFLICT DO NOTHING
  )`;

const missingRow = row({ missing: int4() });

/** Counts the calls of an agent that were counted but not logged, in the hours that overlap a period. */
export async function countMissingCalls(agentId: string, { from, to }: { from: Date; to?: Date }): Promise<number> {
  const found = await missingRow.queryFirst(
    'missing-calls',
    `SELECT coalesce(sum(missing), 0)::int AS missing FROM agent_call_hour
     WHERE agent_id = $1 AND hour >= date_trunc('hour', $2::timestamptz, 'UTC')
       AND ($3::timestamptz IS NULL OR hour < $3)`,
    [agentId, from, to ?? null],
  );
  return found?.missing ?? 0;
}

const slotRow = row({ agentId: text(), slot: int4(), bucket: int4(), calls: int4() });

/** Calls in one time slot, by bucket of durations. */
export type CallSlot = RowOf<typeof slotRow>;

/** A period of whole hours, divided into slots. */
interface SlottedPeriod {
  from: Date;
  to: Date;
  slotMs: number;
  /** True for one result per agent; otherwise `agentId` is empty. */
  perAgent: boolean;
}

/** Selects the calls of agents per slot and bucket, without slots that have no calls. */
export async function selectCallSlots(agentIds: string[], period: SlottedPeriod): Promise<CallSlot[]> {
  return slotRow.query(
    'call-slots',
    `SELECT CASE WHEN $5::bool THEN agent_id ELSE '' END AS "agentId",
       floor(extract(epoch FROM hour - $2::timestamptz) * 1000 / $4::float8)::int AS slot, bucket, sum(calls)::int AS calls
     FROM agent_call_hour WHERE agent_id = ANY($1::text[]) AND hour >= $2::timestamptz AND hour < $3::timestamptz
     GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
    [agentIds, period.from, period.to, period.slotMs, period.perAgent],
  );
}

const callersRow = row({ agentId: text(), slot: int4(), callers: int4() });

/** Selects the number of distinct callers of agents per slot, without slots that have no callers. */
export async function selectCallerCounts(
  agentIds: string[],
  period: SlottedPeriod,
): Promise<RowOf<typeof callersRow>[]> {
  return callersRow.query(
    'caller-counts',
    `SELECT CASE WHEN $5::bool THEN agent_id ELSE '' END AS "agentId",
       floor(extract(epoch FROM hour - $2::timestamptz) * 1000 / $4::float8)::int AS slot,
       count(DISTINCT caller)::int AS callers
     FROM agent_caller_hour WHERE agent_id = ANY($1::text[]) AND hour >= $2::timestamptz AND hour < $3::timestamptz
     GROUP BY 1, 2`,
    [agentIds, period.from, period.to, period.slotMs, period.perAgent],
  );
}

/**
 * Returns the duration, milliseconds, that the share `quantile` of the successful calls does not exceed; null if there
 * are none.
 */
export function percentileOf(slots: Pick<CallSlot, 'bucket' | 'calls'>[], quantile: number): number | null {
  const successful = slots.filter(({ bucket }) => bucket > 0).sort((a, b) => a.bucket - b.bucket);
  const rank = quantile * successful.reduce((sum, { calls }) => sum + calls, 0);
  let counted = 0;
  for (const { bucket, calls } of successful) {
    counted += calls;
    if (counted >= rank) return BUCKET_GROWTH ** (bucket - 0.5);
  }
  return null;
}

/** Deletes hours whose retention time has ended. */
export async function pruneCallHours(now: Date): Promise<void> {
  const end = cutoffOf('figures', now);
  await execute('prune-call-hours', 'DELETE FROM agent_call_hour WHERE hour < $1', [end]);
  await execute('prune-caller-hours', 'DELETE FROM agent_caller_hour WHERE hour < $1', [end]);
}
