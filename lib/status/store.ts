import { db } from '../platform/db';
import { query } from '../platform/sql';
import type { Component } from './schema';

/** How often a part was looked at, and how often it did not answer. */
export interface CheckCounts {
  component: string;
  checks: number;
  failures: number;
}

/** What a part did in one day, `YYYY-MM-DD` in UTC. */
export interface DailyChecks extends CheckCounts {
  day: string;
}

/** What a part did in one hour. */
export interface HourlyChecks extends CheckCounts {
  hour: Date;
  lastOk: boolean;
}

/** What the last look at a part found. */
export interface LastCheck {
  component: string;
  lastAt: Date;
  lastOk: boolean;
}

/**
 * Counts one look at a part. Looks of several nodes since `before` count as one: as a failure when one of them found one, since
 * a part that some nodes do not reach does not work.
 */
export async function insertCheck(check: {
  component: Component;
  ok: boolean;
  now: Date;
  before: Date;
}): Promise<void> {
  const { component, ok, now, before } = check;
  await db().$executeRaw`
    INSERT INTO status_check AS s (component, hour, checks, failures, last_at, last_ok)
    SELECT ${component}, date_trunc('hour', ${now}::timestamptz, 'UTC'), 1, ${ok ? 0 : 1}::int, ${now}, ${ok}
    WHERE NOT EXISTS (SELECT 1 FROM status_check
      WHERE component = ${component} AND last_at > ${before} AND (${ok} OR NOT last_ok))
    ON CONFLICT (component, hour) DO UPDATE
    SET checks = s.checks + CASE WHEN s.last_at > ${before} THEN 0 ELSE 1 END, failures = s.failures + EXCLUDED.failures,
      last_at = CASE WHEN s.last_at > ${before} THEN s.last_at ELSE EXCLUDED.last_at END, last_ok = EXCLUDED.last_ok
    WHERE s.last_at <= ${before} OR (s.last_ok AND NOT EXCLUDED.last_ok)`;
}

/**
 * Counts a failure of these parts for each minute in which no node looked at anything, once that is longer than `patienceMs`:
 * then nothing ran, or nothing could be kept. Parts that were never looked at are left out.
 */
export async function recordGaps(components: Component[], now: Date, thresholdMs: number): Promise<void> {
  await query(
    'status-missed',
    `WITH minute AS (
       SELECT at FROM (SELECT max(last_at) AS last FROM status_check WHERE hour > $2::timestamptz - interval '90 days') known,
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

export async function pruneChecks(hour: Date): Promise<void> {
  await db().statusCheck.deleteMany({ where: { hour: { lt: hour } } });
}

/** All days since, oldest first. */
export function selectDays(since: Date): Promise<DailyChecks[]> {
  return query(
    'status-days',
    `SELECT component, to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, sum(checks)::int AS checks,
       sum(failures)::int AS failures
     FROM status_check WHERE hour >= $1 GROUP BY 1, 2 ORDER BY 2`,
    [since],
  );
}

/** The hours since in which at least this share of the checks failed, oldest first. */
export function selectDegradedHours(since: Date, share: number): Promise<HourlyChecks[]> {
  return query(
    'status-bad-hours',
    `SELECT component, hour, checks, failures, last_ok AS "lastOk" FROM status_check
     WHERE hour >= $1 AND failures >= checks * $2::float8 AND failures > 0 ORDER BY hour`,
    [since, share],
  );
}

/** The last look at each part since then. */
export function selectLastChecks(since: Date): Promise<LastCheck[]> {
  return query(
    'status-last',
    `SELECT DISTINCT ON (component) component, last_at AS "lastAt", last_ok AS "lastOk" FROM status_check
     WHERE hour >= $1 ORDER BY component, hour DESC`,
    [since],
  );
}
