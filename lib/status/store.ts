import { bool, int4, type RowOf, row, text, timestamptz } from '../platform/db/rows';
import { execute } from '../platform/db/sql';
import { HISTORY_DAYS } from './limits';
import type { Component } from './schema';

const countsRow = row({ component: text(), checks: int4(), failures: int4() });
const dailyRow = row({ ...countsRow.columns, day: text() });
const hourlyRow = row({ ...countsRow.columns, hour: timestamptz(), lastOk: bool() });
const lastCheckRow = row({ component: text(), lastAt: timestamptz(), lastOk: bool() });

/** Number of checks of a component, and of failed ones. */
export type CheckCounts = RowOf<typeof countsRow>;
/** The checks of a component in one day, `YYYY-MM-DD` in UTC. */
export type DailyChecks = RowOf<typeof dailyRow>;
/** The checks of a component in one hour. */
export type HourlyChecks = RowOf<typeof hourlyRow>;
/** The result of a component's last check. */
export type LastCheck = RowOf<typeof lastCheckRow>;

/**
 * Counts one check of a component. Checks by several nodes since `before` count once, as a failure if any of them
 * failed, because a component that is unreachable for some nodes is not up.
 */
export async function insertCheck(check: {
  component: Component;
  ok: boolean;
  now: Date;
  before: Date;
}): Promise<void> {
  const { component, ok, now, before } = check;
  await execute(
    'status-checked',
    `INSERT INTO status_check AS s (component, hour, checks, failures, last_at, last_ok)
     SELECT $1::text, date_trunc('hour', $2::timestamptz, 'UTC'), 1, CASE WHEN $3::boolean THEN 0 ELSE 1 END, $2, $3
     WHERE NOT EXISTS (SELECT 1 FROM status_check WHERE component = $1 AND last_at > $4 AND ($3 OR NOT last_ok))
     ON CONFLICT (component, hour) DO UPDATE
     SET checks = s.checks + CASE WHEN s.last_at > $4 THEN 0 ELSE 1 END, failures = s.failures + EXCLUDED.failures,
       last_at = CASE WHEN s.last_at > $4 THEN s.last_at ELSE EXCLUDED.last_at END, last_ok = EXCLUDED.last_ok
     WHERE s.last_at <= $4 OR (s.last_ok AND NOT EXCLUDED.last_ok)`,
    [component, now, ok, before],
  );
}

/**
 * Counts one failure per minute without a check by any node, if the gap exceeds `thresholdMs`. Components that were
 * never checked are excluded.
 */
export async function recordGaps(components: Component[], now: Date, thresholdMs: number): Promise<void> {
  await execute(
    'status-record-gaps',
    `WITH minute AS (
       SELECT at FROM (SELECT max(last_at) AS last FROM status_check WHERE hour > $2::timestamptz - interval '${HISTORY_DAYS} days') known,
         generate_series(last + interval '1 minute', $2::timestamptz - interval '1 minute', interval '1 minute') AS at
       WHERE last < $3::timestamptz),
     missed AS (
       SELECT date_trunc('hour', at, 'UTC') AS hour, count(*)::int AS minutes, max(at) AS last_at FROM minute GROUP BY 1)
     INSERT INTO status_check AS s (component, hour, checks, failures, last_at, last_ok)
     SELECT c, m.hour, m.minutes, m.minutes, m.last_at, false FROM missed m, unnest($1::text[]) c
     WHERE EXISTS (SELECT FROM status_check k WHERE k.component = c)
     ON CONFLICT (component, hour) DO UPDATE SET checks = s.checks + excluded.checks,
       failures = s.failures + excluded.failures, last_at = excluded.last_at, last_ok = false
     WHERE s.last_at < excluded.last_at`,
    [components, now, new Date(now.getTime() - thresholdMs)],
  );
}

/** Deletes the checks from before an hour. */
export async function pruneChecks(hour: Date): Promise<void> {
  await execute('status-prune', 'DELETE FROM status_check WHERE hour < $1', [hour]);
}

/** Selects the daily counts since the given time, oldest first. */
export function selectDays(since: Date): Promise<DailyChecks[]> {
  return dailyRow.query(
    'status-days',
    `SELECT component, to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, sum(checks)::int AS checks,
       sum(failures)::int AS failures
     FROM status_check WHERE hour >= $1 GROUP BY 1, 2 ORDER BY 2`,
    [since],
  );
}

/** Returns the hours since the given time in which at least this share of checks failed, oldest first. */
export function selectDegradedHours(since: Date, share: number): Promise<HourlyChecks[]> {
  return hourlyRow.query(
    'status-degraded-hours',
    `SELECT component, hour, checks, failures, last_ok AS "lastOk" FROM status_check
     WHERE hour >= $1 AND failures >= checks * $2::float8 AND failures > 0 ORDER BY hour`,
    [since, share],
  );
}

/** Returns the last check of each component since the given time. */
export function selectLastChecks(since: Date): Promise<LastCheck[]> {
  return lastCheckRow.query(
    'status-last',
    `SELECT DISTINCT ON (component) component, last_at AS "lastAt", last_ok AS "lastOk" FROM status_check
     WHERE hour >= $1 ORDER BY component, hour DESC`,
    [since],
  );
}
