import { Prisma } from '../../generated/prisma/client';
import {
  bool,
  float8,
  int4,
  json,
  nullable,
  type RowOf,
  row,
  text,
  textArray,
  timestamptz,
} from '../../platform/db/rows';
import { execute, executeIn } from '../../platform/db/sql';
import { inAvailableTaskDatabases } from '../../platform/db/task-databases/task-statements';
import type { Tx } from '../../platform/db/tx';
import { selectDue, wakeWork } from '../../platform/runtime/activity';
import { env } from '../../platform/runtime/env';
import { DAY_MS } from '../../platform/time';
import { RANKING_INTERVAL_MS } from '../limits';
import { LATENCY_WINDOW_DAYS, SCORE_WINDOW_DAYS, type ScoreInput } from '../ranking/score';
import type { EscalationStage, Health, ScorePart } from '../schema-rankings';
import { countCalls } from './call-counts';

/** Makes rankings due immediately. */
export async function markRankingDue(agentIds: string[], now: Date): Promise<void> {
  await execute(
    'mark-rankings-due',
    `INSERT INTO agent_ranking (agent_id, due_at) SELECT id, $2 FROM agent WHERE id = ANY($1)
     ON CONFLICT (agent_id) DO UPDATE SET due_at = least(agent_ranking.due_at, excluded.due_at)`,
    [agentIds, now],
  );
  wakeWork('rankings.computation');
}

/** Returns the time at which the first ranking is due; null if there are no agents. */
export function nextRankingDue(): Promise<Date | null> {
  return selectDue('next-ranking', 'SELECT min(due_at) AS due FROM agent_ranking');
}

/**
 * Makes due the rankings of public agents that search does not rank yet, because they are new or became public again.
 */
export async function markUnranked(now: Date, limit: number): Promise<void> {
  await execute(
    'mark-unranked',
    `INSERT INTO agent_ranking (agent_id, due_at)
     SELECT agent_id, $1 FROM agent_search WHERE NOT is_ranked LIMIT $2
     ON CONFLICT (agent_id) DO UPDATE SET due_at = excluded.due_at`,
    [now, limit],
  );
}

const claimedRow = row({ agentId: text() });

/** Claims at most `limit` agents whose ranking is due, and schedules the next computation. */
export async function claimDueRankings(now: Date, limit: number): Promise<string[]> {
  const rows = await claimedRow.query(
    'claim-rankings',
    `UPDATE agent_ranking SET due_at = $2 WHERE agent_id IN (
       SELECT agent_id FROM agent_ranking WHERE due_at <= $1 ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
     RETURNING agent_id AS "agentId"`,
    [now, new Date(now.getTime() + RANKING_INTERVAL_MS), limit],
  );
  return rows.map(({ agentId }) => agentId);
}

/** Returns an SQL condition that is true if the user is not in the team of agent `a`. */
function outsideTeam(userId: string): string {
  return `${userId} <> a.owner_id
    AND NOT EXISTS (SELECT FROM agent_member m WHERE m.agent_id = a.id AND m.user_id = ${userId})`;
}

const inputRow = row({
  agentId: text(),
  badges: textArray(),
  card: json<ScoreInput['card']>(),
  health: text<Health>(),
  stage: text<EscalationStage>(),
  checks: int4(),
  good: int4(),
  p50Ms: nullable(int4()),
  p95Ms: nullable(int4()),
  reviews: int4(),
  stars: int4(),
  hasDemoData: bool(),
});

/** Returns an SQL condition that is true if the user counts. Demo users count only while the demo runs. */
function isCounted(userId: string): string {
  return env().DEMO ? 'true' : `NOT EXISTS (SELECT FROM "user" d WHERE d.is_demo AND d.id = ${userId})`;
}

/**
 * Returns the score inputs of agents over whole days in UTC, including today. Calls and reviews of an agent's own team
 * and its apps do not count, nor do those of guests. A user and their apps count as one user.
 */
export async function selectScoreInputs(
  agentIds: string[],
  now: Date,
): Promise<(ScoreInput & { agentId: string; hasDemoData: boolean })[]> {
  const since = new Date(now.getTime() - SCORE_WINDOW_DAYS * DAY_MS);
  const latencySince = new Date(now.getTime() - LATENCY_WINDOW_DAYS * DAY_MS);
  const counts = await countCalls(agentIds, since);
  const rows = await inputRow.query(
    'score-inputs',
    `SELECT a.id AS "agentId", a.badges, v.card, coalesce(w.health, 'unknown') AS health,
       coalesce(w.stage, 'listed') AS stage, p.checks, p.good, l."p50Ms", l."p95Ms", r.reviews, r.stars, r.demo AS "hasDemoData"
     FROM agent a JOIN agent_version v ON v.id = a.current_version_id
       LEFT JOIN probe_state w ON w.agent_id = a.id
       CROSS JOIN LATERAL (SELECT coalesce(sum(checks), 0)::int AS checks, coalesce(sum(good), 0)::int AS good
         FROM probe_day WHERE agent_id = a.id AND day > ($2::timestamptz AT TIME ZONE 'UTC')::date) p
       CROSS JOIN LATERAL (SELECT round(percentile_cont(0.5) WITHIN GROUP (ORDER BY ms))::int AS "p50Ms",
           round(percentile_cont(0.95) WITHIN GROUP (ORDER BY ms))::int AS "p95Ms"
         FROM probe WHERE agent_id = a.id AND at >= $3 AND good AND kind = 'reach' AND ms > 0) l
       CROSS JOIN LATERAL (SELECT count(*)::int AS reviews, coalesce(sum(stars), 0)::int AS stars,
           coalesce(bool_or(EXISTS (SELECT FROM "user" d WHERE d.is_demo AND d.id = review.user_id)), false) AS demo
         FROM review WHERE agent_id = a.id AND hidden_at IS NULL AND ${outsideTeam('review.user_id')}
           AND ${isCounted('review.user_id')}) r
     WHERE a.id = ANY($1)`,
    [agentIds, since, latencySince],
  );
  return rows.map(({ badges, ...input }) => ({
    ...input,
    ...(counts.get(input.agentId) ?? { users: 0, calls: 0, completed: 0, failed: 0 }),
    isVerified: badges.includes('verified'),
    isSigned: badges.includes('signed'),
  }));
}

const storedRow = row({
  agentId: text(),
  health: text<Health>(),
  stage: text<EscalationStage>(),
  uptime: nullable(float8()),
  p50Ms: nullable(int4()),
  p95Ms: nullable(int4()),
  users: int4(),
  calls: int4(),
  success: nullable(float8()),
  rating: nullable(float8()),
  reviewCount: int4(),
  hasDemoData: bool(),
  score: int4(),
  parts: json<ScorePart[]>(),
});

/** A stored ranking. */
export type RankingRecord = RowOf<typeof storedRow>;

/** Stores computed rankings. */
export async function upsertRankings(rankings: RankingRecord[], now: Date): Promise<void> {
  await execute(
    'upsert-rankings',
    `INSERT INTO agent_ranking (agent_id, health, stage, uptime, p50_ms, p95_ms, users, calls, success, rating,
       review_count, has_demo_data, score, parts, computed_at, due_at)
     SELECT n.*, $2, $2 FROM json_to_recordset($1::json) AS n("agentId" text, health text, stage text, uptime float8,
       "p50Ms" int, "p95Ms" int, users int, calls int, success float8, rating float8, "reviewCount" int, "hasDemoData" boolean, score int, parts jsonb)
     ON CONFLICT (agent_id) DO UPDATE SET health = excluded.health, stage = excluded.stage, uptime = excluded.uptime,
       p50_ms = excluded.p50_ms, p95_ms = excluded.p95_ms, users = excluded.users, calls = excluded.calls,
       success = excluded.success, rating = excluded.rating, review_count = excluded.review_count,
       has_demo_data = excluded.has_demo_data,
       score = excluded.score, parts = excluded.parts, computed_at = excluded.computed_at`,
    [JSON.stringify(rankings), now],
  );
}

const rankingRow = row({
  ...storedRow.columns,
  computedAt: nullable(timestamptz()),
  failingSince: nullable(timestamptz()),
  checkedAt: nullable(timestamptz()),
  checkedBy: nullable(text<'reach' | 'run'>()),
});

/** Returns an agent's ranking with its current health and stage; null for an unknown agent. */
export async function selectRanking(agentId: string): Promise<RowOf<typeof rankingRow> | null> {
  return rankingRow.queryFirst(
    'ranking',
    `SELECT a.id AS "agentId", coalesce(w.health, 'unknown') AS health, coalesce(w.stage, 'listed') AS stage, s.uptime,
       s.p50_ms AS "p50Ms", s.p95_ms AS "p95Ms", coalesce(s.users, 0) AS users, coalesce(s.calls, 0) AS calls, s.success,
       s.rating, coalesce(s.review_count, 0) AS "reviewCount", coalesce(s.has_demo_data, false) AS "hasDemoData", coalesce(s.score, 0) AS score,
       coalesce(s.parts, '[]') AS parts, s.computed_at AS "computedAt", w.failing_since AS "failingSince",
       w.checked_at AS "checkedAt", w.checked_by AS "checkedBy"
     FROM agent a LEFT JOIN agent_ranking s ON s.agent_id = a.id LEFT JOIN probe_state w ON w.agent_id = a.id
     WHERE a.id = $1`,
    [agentId],
  );
}

const dayRow = row({ day: text(), checks: int4(), good: int4(), p50Ms: nullable(int4()) });

/** Returns the days with probes within the score window of whole days in UTC, including today, oldest first. */
export async function selectProbeHistory(agentId: string, now: Date): Promise<RowOf<typeof dayRow>[]> {
  return dayRow.query(
    'probe-history',
    `SELECT to_char(day, 'YYYY-MM-DD') AS day, checks, good, p50_ms AS "p50Ms" FROM probe_day
     WHERE agent_id = $1 AND day > ($2::timestamptz AT TIME ZONE 'UTC')::date ORDER BY day`,
    [agentId, new Date(now.getTime() - SCORE_WINDOW_DAYS * DAY_MS)],
  );
}

/** Deletes the counts of days that no ranking includes any more. */
export async function deleteOldTaskDays(now: Date): Promise<void> {
  await inAvailableTaskDatabases.execute(
    'delete-agent-task-days',
    "DELETE FROM agent_task_day WHERE day < ($1::timestamptz AT TIME ZONE 'UTC')::date",
    [new Date(now.getTime() - SCORE_WINDOW_DAYS * DAY_MS)],
  );
}

/** Erases the share of a user and their apps in the counts. */
export async function eraseTaskDays(tx: Tx, principals: string[]): Promise<void> {
  await executeIn(tx, Prisma.sql`DELETE FROM agent_task_day WHERE principal = ANY(${principals})`);
}
