import { Prisma } from '../generated/prisma/client';
import type { LoggedExchange, LoggedFailure } from '../observability/schema';
import { bool, int4, json, nullable, row, text, timestamptz } from '../platform/db/rows';
import { execute, executeIn } from '../platform/db/sql';
import { inTransaction } from '../platform/db/tx';
import { newId } from '../platform/ids';
import { selectDue, wakeWork } from '../platform/runtime/activity';
import { FAILED_CALL_PROBE_MS, PROBE_DAY_RETENTION_DAYS, PROBE_RETENTION_DAYS, SCHEDULE_BATCH } from './limits';
import type { ProbeKind } from './schema';
import type { ProbeState } from './state-transitions';

/** A stored probe of an agent. */
export interface ProbeRecord {
  id: string;
  agentId: string;
  at: Date;
  kind: ProbeKind;
  good: boolean;
  ms: number;
  failure: LoggedFailure | null;
}

/**
 * Stores a probe and updates the sums of its day. Only successful reachability probes have latencies; 0 ms means none.
 */
export async function insertProbe(probe: Omit<ProbeRecord, 'id'>): Promise<void> {
  const { agentId, at, kind, good, ms, failure } = probe;
  const exchange = failure?.exchange ? JSON.stringify(failure.exchange) : null;
  await execute(
    'insert-probe',
    `INSERT INTO probe (id, agent_id, at, kind, good, ms, code, message, exchange) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [newId('prb'), agentId, at, kind, good, ms, failure?.code ?? null, failure?.message ?? null, exchange],
  );
  await execute(
    'sum-probe-day',
    `INSERT INTO probe_day (agent_id, day, checks, good, p50_ms, p95_ms)
     SELECT $1, d.day, count(*), count(*) FILTER (WHERE p.good),
       percentile_cont(0.5) WITHIN GROUP (ORDER BY p.ms) FILTER (WHERE p.good AND p.kind = 'reach' AND p.ms > 0),
       percentile_cont(0.95) WITHIN GROUP (ORDER BY p.ms) FILTER (WHERE p.good AND p.kind = 'reach' AND p.ms > 0)
     FROM (SELECT ($2::timestamptz AT TIME ZONE 'UTC')::date AS day) d
       JOIN probe p ON p.agent_id = $1 AND p.at >= d.day AT TIME ZONE 'UTC' AND p.at < (d.day + 1) AT TIME ZONE 'UTC'
     GROUP BY d.day
     ON CONFLICT (agent_id, day) DO UPDATE SET checks = excluded.checks, good = excluded.good,
       p50_ms = excluded.p50_ms, p95_ms = excluded.p95_ms`,
    [agentId, at],
  );
}

const probeRow = row({
  id: text(),
  agentId: text(),
  at: timestamptz(),
  kind: text<ProbeKind>(),
  good: bool(),
  ms: int4(),
  code: nullable(text()),
  message: nullable(text()),
  exchange: nullable(json<LoggedExchange>()),
});

/** Selects the latest probes of an agent, newest first; with `failed`, only failed ones. */
export async function selectProbes(
  agentId: string,
  { failed, limit }: { failed: boolean; limit: number },
): Promise<ProbeRecord[]> {
  const rows = await probeRow.query(
    'probes',
    `SELECT id, agent_id AS "agentId", at, kind, good, ms, code, message, exchange FROM probe
     WHERE agent_id = $1 AND ($2 = false OR NOT good) ORDER BY at DESC, id DESC LIMIT $3`,
    [agentId, failed, limit],
  );
  return rows.map(({ code, message, exchange, ...probe }) => ({
    ...probe,
    failure: code === null ? null : { code, message: message ?? '', exchange },
  }));
}

/** Deletes probes and daily sums after their retention. */
export async function pruneProbes(now: Date): Promise<void> {
  await execute(
    'delete-probes',
    `DELETE FROM probe WHERE at < $1::timestamptz - interval '${PROBE_RETENTION_DAYS} days'`,
    [now],
  );
  const text = `DELETE FROM probe_day WHERE day < ($1::timestamptz AT TIME ZONE 'UTC')::date - ${PROBE_DAY_RETENTION_DAYS}`;
  await execute('delete-probe-days', text, [now]);
}

const visibleCondition = `a.visibility IN ('public', 'unlisted') AND a.status IN ('active', 'deprecated')`;

/**
 * Schedules agents listed after `since` that have no schedule: the first probe immediately, the first run
 * `firstRunSeconds` later.
 */
export async function insertSchedules(
  now: Date,
  { since, firstRunSeconds }: { since: Date; firstRunSeconds: number },
): Promise<void> {
  await execute(
    'insert-probe-schedules',
    `INSERT INTO probe_state (agent_id, next_reach_at, next_run_at)
     SELECT a.id, $1::timestamptz, $1::timestamptz + make_interval(secs => $2) FROM agent a
     WHERE ${visibleCondition} AND a.created_at > $3 AND NOT EXISTS (SELECT FROM probe_state s WHERE s.agent_id = a.id)
     LIMIT ${SCHEDULE_BATCH}
     ON CONFLICT DO NOTHING`,
    [now, firstRunSeconds, since],
  );
}

const dueColumns = { reach: 'next_reach_at', run: 'next_run_at' } as const;
/** Due date of a paused probe. */
const pausedUntil = "timestamptz '9999-12-31'";

/** Pauses the probes of agents that are no longer visible, and resumes those of agents that became visible again. */
export async function pauseHidden(kind: ProbeKind, now: Date): Promise<void> {
  const due = dueColumns[kind];
  await execute(
    `pause-probes-${kind}`,
    `UPDATE probe_state SET ${due} = ${pausedUntil} WHERE agent_id IN (
       SELECT s.agent_id FROM probe_state s JOIN agent a ON a.id = s.agent_id
       WHERE s.${due} <= $1 AND NOT (${visibleCondition}) LIMIT ${SCHEDULE_BATCH} FOR UPDATE OF s SKIP LOCKED)`,
    [now],
  );
  await execute(
    `resume-probes-${kind}`,
    `UPDATE probe_state SET ${due} = $1 WHERE agent_id IN (
       SELECT s.agent_id FROM probe_state s JOIN agent a ON a.id = s.agent_id
       WHERE s.${due} = ${pausedUntil} AND ${visibleCondition} LIMIT ${SCHEDULE_BATCH} FOR UPDATE OF s SKIP LOCKED)`,
    [now],
  );
}

const claimedRow = row({ agentId: text() });

/**
 * Claims at most `limit` agents whose probe is due, most overdue first, and schedules their next probe, so that no
 * other node claims them and no agent is probed more often.
 */
export async function claimDueProbes(
  kind: ProbeKind,
  { now, everySeconds, limit }: { now: Date; everySeconds: number; limit: number },
): Promise<string[]> {
  const due = dueColumns[kind];
  const rows = await claimedRow.query(
    `claim-probes-${kind}`,
    `UPDATE probe_state SET ${due} = $1::timestamptz + make_interval(secs => $2) WHERE agent_id IN (
       SELECT s.agent_id FROM probe_state s JOIN agent a ON a.id = s.agent_id
       WHERE s.${due} <= $1 AND ${visibleCondition}
       ORDER BY s.${due} LIMIT $3 FOR UPDATE OF s SKIP LOCKED)
     RETURNING agent_id AS "agentId"`,
    [now, everySeconds, limit],
  );
  return rows.map(({ agentId }) => agentId);
}

/** Returns the time at which the first probe of this kind is due; null if no agent is probed. */
export function selectNextProbe(kind: ProbeKind): Promise<Date | null> {
  return selectDue(`next-probe-${kind}`, `SELECT min(${dueColumns[kind]}) AS due FROM probe_state`);
}

/** Makes due the probe of agents that are connected again but not displayed as healthy. */
export async function markPresenceDue(now: Date): Promise<void> {
  await execute(
    'mark-presence-due',
    `UPDATE probe_state SET next_reach_at = $1 WHERE health <> 'healthy' AND next_reach_at > $1
       AND next_reach_at < ${pausedUntil} AND agent_id IN (SELECT agent_id FROM hub_worker WHERE NOT draining)`,
    [now],
  );
}

/**
 * Makes the reachability probe of an agent due, unless its probes are paused, it is down for so long that it is no
 * longer in the stage `listed`, or it was checked less than FAILED_CALL_PROBE_MS ago.
 */
export async function markFailedDue(agentId: string, now: Date): Promise<void> {
  await execute(
    'mark-failed-due',
    `UPDATE probe_state SET next_reach_at = $2 WHERE agent_id = $1 AND stage = 'listed' AND next_reach_at > $2
       AND next_reach_at < ${pausedUntil} AND (checked_at IS NULL OR checked_at <= $3)`,
    [agentId, now, new Date(now.getTime() - FAILED_CALL_PROBE_MS)],
  );
}

/** Sets the due date of the next probe. */
export async function scheduleNext(agentId: string, kind: ProbeKind, at: Date): Promise<void> {
  const due = dueColumns[kind];
  await execute(`schedule-probe-${kind}`, `UPDATE probe_state SET ${due} = $2 WHERE agent_id = $1`, [agentId, at]);
  wakeWork(`probes.${kind}`);
}

const stateRow = row({
  health: text<ProbeState['health']>(),
  consecutiveFailures: int4(),
  failingSince: nullable(timestamptz()),
  runFailed: bool(),
  checkedAt: nullable(timestamptz()),
  checkedBy: nullable(text<ProbeKind>()),
  alertedAt: nullable(timestamptz()),
  stage: text<ProbeState['stage']>(),
});

/**
 * Changes an agent's state under a row lock, because a probe and a run may end concurrently on two nodes. Returns the
 * states before and after; null if the agent has no schedule.
 */
export function updateProbeState(
  agentId: string,
  change: (state: ProbeState) => ProbeState,
): Promise<{ before: ProbeState; state: ProbeState } | null> {
  return inTransaction(async (tx) => {
    const [before] = await stateRow.queryIn(
      tx,
      Prisma.sql`SELECT health, consecutive_failures AS "consecutiveFailures", failing_since AS "failingSince", run_failed AS "runFailed",
          checked_at AS "checkedAt", checked_by AS "checkedBy", alerted_at AS "alertedAt", stage
        FROM probe_state WHERE agent_id = ${agentId} FOR UPDATE`,
    );
    if (!before) return null;
    const state = change(before);
    const { health, consecutiveFailures, failingSince, runFailed, checkedAt, checkedBy, alertedAt, stage } = state;
    await executeIn(
      tx,
      Prisma.sql`UPDATE probe_state SET health = ${health}, consecutive_failures = ${consecutiveFailures}, failing_since = ${failingSince},
          run_failed = ${runFailed}, checked_at = ${checkedAt}, checked_by = ${checkedBy}, alerted_at = ${alertedAt}, stage = ${stage}
        WHERE agent_id = ${agentId}`,
    );
    return { before, state };
  });
}
