import { cutoffOf } from '../../platform/retention';
import { int4, type RowOf, row, text } from '../../platform/rows';
import { execute } from '../../platform/sql';

/** Each bucket of durations is this much wider than the one before it, so that a percentile is off by 5 % at most. */
const BUCKET_GROWTH = 1.1;

/** CTEs that add the new calls `n` to their hours. Sorted, so that two nodes lock rows in the same order. */
export const countedSql = `counted AS (
    INSERT INTO agent_call_hour (agent_id, hour, bucket, calls)
    SELECT n.agent_id, date_trunc('hour', n.at, 'UTC'),
      CASE WHEN n.code IS NOT NULL THEN 0 ELSE 1 + floor(ln(greatest(n.ms, 1)) / ln(${BUCKET_GROWTH}))::int END,
      count(*)::int
    FROM n GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
    ON CONFLICT (agent_id, hour, bucket) DO UPDATE SET calls = agent_call_hour.calls + excluded.calls
  ), callers AS (
    INSERT INTO agent_caller_hour (agent_id, hour, caller)
    SELECT DISTINCT n.agent_id, date_trunc('hour', n.at, 'UTC'), n.caller FROM n WHERE n.caller <> '' ORDER BY 1, 2, 3
    ON CONFLICT DO NOTHING
  )`;

const slotRow = row({ agentId: text(), slot: int4(), bucket: int4(), calls: int4() });

/** The calls of a slot of time in one bucket of durations. */
export type CallSlot = RowOf<typeof slotRow>;

/** A period of whole hours, divided into slots. */
interface SlottedPeriod {
  from: Date;
  to: Date;
  slotMs: number;
  /** Set for one result per agent; else `agentId` is empty. */
  perAgent: boolean;
}

/** The calls of agents per slot and bucket; slots without calls are left out. */
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

/** The distinct callers of agents per slot; slots without any are left out. */
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

/** The duration, milliseconds, that the share `quantile` of the successful calls does not exceed; null without any. */
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

/** Deletes hours beyond the retention time. */
export async function pruneCallHours(now: Date): Promise<void> {
  const end = cutoffOf('figures', now);
  await execute('prune-call-hours', 'DELETE FROM agent_call_hour WHERE hour < $1', [end]);
  await execute('prune-caller-hours', 'DELETE FROM agent_caller_hour WHERE hour < $1', [end]);
}
