import { float8, int4, nullable, type RowOf, row, text, timestamptz } from '../../platform/db/rows';
import { MAX_LATEST_DECISIONS } from '../limits';
import type { CaseState, ReportReason, TargetKind } from '../schema';

const waitingRow = row({
  open: int4(),
  openDay: int4(),
  openWeek: int4(),
  oldestOpenAt: nullable(timestamptz()),
  appealed: int4(),
  oldestAppealAt: nullable(timestamptz()),
});

/**
 * Returns the numbers of open cases, in total and opened within the last day and week, the number of appealed cases,
 * and the time of the oldest case of each state.
 */
export async function selectWaiting(now: Date): Promise<RowOf<typeof waitingRow>> {
  const found = await waitingRow.queryFirst(
    'moderation-waiting',
    `SELECT count(*) FILTER (WHERE state = 'open')::int AS open,
       count(*) FILTER (WHERE state = 'open' AND opened_at > $1::timestamptz - interval '1 day')::int AS "openDay",
       count(*) FILTER (WHERE state = 'open' AND opened_at > $1::timestamptz - interval '7 days')::int AS "openWeek",
       min(opened_at) FILTER (WHERE state = 'open') AS "oldestOpenAt",
       count(*) FILTER (WHERE state = 'appealed')::int AS appealed,
       min(appealed_at) FILTER (WHERE state = 'appealed') AS "oldestAppealAt"
     FROM moderation_case WHERE state IN ('open', 'appealed')`,
    [now],
  );
  if (!found) throw new Error('an aggregate returns one row');
  return found;
}

const weekRow = row({
  week: text(),
  reports: int4(),
  dismissed: int4(),
  removed: int4(),
  restored: int4(),
  upheld: int4(),
  appeals: int4(),
  medianHours: nullable(float8()),
});

/**
 * Returns the numbers of reports and decisions of each week since `from`, a Monday 00:00 UTC, oldest first, including
 * weeks without any. `medianHours` is the time from the first report to the decision to keep or remove.
 */
export function selectWeeks(from: Date, now: Date): Promise<RowOf<typeof weekRow>[]> {
  return weekRow.query(
    'moderation-weeks',
    `WITH weeks AS (
       SELECT generate_series($1::timestamptz AT TIME ZONE 'UTC', $2::timestamptz AT TIME ZONE 'UTC', '7 days') AS week
     ), decided AS (
       SELECT date_trunc('week', s.at AT TIME ZONE 'UTC') AS week, s.state, s.role,
         extract(epoch FROM s.at - c.opened_at) / 3600 AS hours
       FROM moderation_step s JOIN moderation_case c ON c.id = s.case_id WHERE s.at >= $1
     ), reported AS (
       SELECT date_trunc('week', created_at AT TIME ZONE 'UTC') AS week, count(*)::int AS reports
       FROM moderation_report WHERE created_at >= $1 GROUP BY 1
     )
     SELECT to_char(w.week, 'YYYY-MM-DD') AS week, coalesce(max(r.reports), 0)::int AS reports,
       count(*) FILTER (WHERE d.state = 'dismissed')::int AS dismissed,
       count(*) FILTER (WHERE d.state = 'removed')::int AS removed,
       count(*) FILTER (WHERE d.state = 'restored')::int AS restored,
       count(*) FILTER (WHERE d.state = 'upheld')::int AS upheld,
       count(*) FILTER (WHERE d.state = 'appealed')::int AS appeals,
       (percentile_cont(0.5) WITHIN GROUP (ORDER BY d.hours)
         FILTER (WHERE d.state IN ('dismissed', 'removed')))::float8 AS "medianHours"
     FROM weeks w LEFT JOIN decided d ON d.week = w.week LEFT JOIN reported r ON r.week = w.week
     GROUP BY w.week ORDER BY w.week`,
    [from, now],
  );
}

const medianRow = row({ medianHours: nullable(float8()) });

/**
 * Returns the median time, in hours, from the first report to the decision to keep or remove, since `from`; null
 * without decisions.
 */
export async function selectMedianHours(from: Date): Promise<number | null> {
  const found = await medianRow.queryFirst(
    'moderation-median',
    `SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM s.at - c.opened_at) / 3600)::float8
       AS "medianHours"
     FROM moderation_step s JOIN moderation_case c ON c.id = s.case_id
     WHERE s.at >= $1 AND s.state IN ('dismissed', 'removed')`,
    [from],
  );
  return found?.medianHours ?? null;
}

const reasonRow = row({
  reason: text<ReportReason>(),
  open: int4(),
  dismissed: int4(),
  removed: int4(),
  restored: int4(),
});

/**
 * Returns the cases opened since `from` by the reasons in their reports and by outcome, the most frequent reason first.
 */
export function selectReasons(from: Date): Promise<RowOf<typeof reasonRow>[]> {
  return reasonRow.query(
    'moderation-reasons',
    `SELECT r.reason, count(DISTINCT c.id) FILTER (WHERE c.state = 'open')::int AS open,
       count(DISTINCT c.id) FILTER (WHERE c.state = 'dismissed')::int AS dismissed,
       count(DISTINCT c.id) FILTER (WHERE c.state IN ('removed', 'appealed', 'upheld'))::int AS removed,
       count(DISTINCT c.id) FILTER (WHERE c.state = 'restored')::int AS restored
     FROM moderation_case c JOIN moderation_report r ON r.case_id = c.id
     WHERE c.opened_at >= $1 GROUP BY r.reason ORDER BY count(DISTINCT c.id) DESC, r.reason`,
    [from],
  );
}

const latestRow = row({
  caseId: text(),
  kind: text<TargetKind>(),
  title: text(),
  state: text<CaseState>(),
  reason: nullable(text<ReportReason>()),
  at: timestamptz(),
});

/** Returns the moderators' latest decisions, newest first. */
export function selectLatestDecisions(): Promise<RowOf<typeof latestRow>[]> {
  return latestRow.query(
    'moderation-latest',
    `SELECT c.id AS "caseId", c.kind, c.title, s.state, c.reason, s.at
     FROM moderation_step s JOIN moderation_case c ON c.id = s.case_id
     WHERE s.role = 'moderator' ORDER BY s.at DESC, s.id LIMIT ${MAX_LATEST_DECISIONS}`,
  );
}
