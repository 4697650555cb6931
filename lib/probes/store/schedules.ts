import { query } from '../../platform/sql';
import { inTransaction } from '../../platform/tx';
import type { ProbeState } from '../policy';
import type { ProbeKind } from '../schema';

const visibleCondition = `a.visibility IN ('public', 'unlisted') AND a.status IN ('active', 'deprecated')`;
/** Most agents that one statement takes up. */
const maxPerStatement = 1_000;

/**
 * Begins to watch agents that were listed since then and are not watched: the first probe is due at once, the first run a
 * little later.
 */
export async function insertSchedules(
  now: Date,
  { since, firstRunSeconds }: { since: Date; firstRunSeconds: number },
): Promise<void> {
  await query(
    'watch-agents',
    `INSERT INTO probe_watch (agent_id, next_reach_at, next_run_at)
     SELECT a.id, $1::timestamptz, $1::timestamptz + make_interval(secs => $2) FROM agent a
     WHERE ${visibleCondition} AND a.created_at > $3 AND NOT EXISTS (SELECT FROM probe_watch w WHERE w.agent_id = a.id)
     LIMIT ${maxPerStatement}
     ON CONFLICT DO NOTHING`,
    [now, firstRunSeconds, since],
  );
}

const dueColumns = { reach: 'next_reach_at', run: 'next_run_at' } as const;
/** When a probe is due that waits until its agent is shown again. */
const pausedUntil = "timestamptz '9999-12-31'";

/**
 * Takes agents that are hidden, suspended or withdrawn out of those that are due, so that no round looks at them again, and
 * those that are shown again back in.
 */
export async function pauseHidden(kind: ProbeKind, now: Date): Promise<void> {
  const due = dueColumns[kind];
  await query(
    `park-probes-${kind}`,
    `UPDATE probe_watch SET ${due} = ${pausedUntil} WHERE agent_id IN (
       SELECT w.agent_id FROM probe_watch w JOIN agent a ON a.id = w.agent_id
       WHERE w.${due} <= $1 AND NOT (${visibleCondition}) LIMIT ${maxPerStatement} FOR UPDATE OF w SKIP LOCKED)`,
    [now],
  );
  await query(
    `wake-probes-${kind}`,
    `UPDATE probe_watch SET ${due} = $1 WHERE agent_id IN (
       SELECT w.agent_id FROM probe_watch w JOIN agent a ON a.id = w.agent_id
       WHERE w.${due} = ${pausedUntil} AND ${visibleCondition} LIMIT ${maxPerStatement} FOR UPDATE OF w SKIP LOCKED)`,
    [now],
  );
}

/**
 * Takes up to `limit` agents whose probe is due, those that wait longest first, and moves each on by the interval: no other
 * node takes it, and no agent is probed more often.
 */
export async function claimDueProbes(
  kind: ProbeKind,
  { now, everySeconds, limit }: { now: Date; everySeconds: number; limit: number },
): Promise<string[]> {
  const due = dueColumns[kind];
  const rows = await query<{ agentId: string }>(
    `claim-probes-${kind}`,
    `UPDATE probe_watch SET ${due} = $1::timestamptz + make_interval(secs => $2) WHERE agent_id IN (
       SELECT w.agent_id FROM probe_watch w JOIN agent a ON a.id = w.agent_id
       WHERE w.${due} <= $1 AND ${visibleCondition}
       ORDER BY w.${due} LIMIT $3 FOR UPDATE OF w SKIP LOCKED)
     RETURNING agent_id AS "agentId"`,
    [now, everySeconds, limit],
  );
  return rows.map(({ agentId }) => agentId);
}

/** Sets when a probe is due next. */
export async function scheduleNext(agentId: string, kind: ProbeKind, at: Date): Promise<void> {
  const due = dueColumns[kind];
  await query(`set-probe-due-${kind}`, `UPDATE probe_watch SET ${due} = $2 WHERE agent_id = $1`, [agentId, at]);
}

/**
 * Changes how an agent stands, one change after the other: a check and a run may end at once, on two nodes. Answers the state
 * before and after; null when the agent is watched no more.
 */
export function updateProbeState(
  agentId: string,
  change: (state: ProbeState) => ProbeState,
): Promise<{ before: ProbeState; state: ProbeState } | null> {
  return inTransaction(async (tx) => {
    const rows = await tx.$queryRaw<ProbeState[]>`
      SELECT health, failing, failing_since AS "failingSince", run_failed AS "runFailed", checked_at AS "checkedAt",
        checked_by AS "checkedBy", told_at AS "toldAt", rung
      FROM probe_watch WHERE agent_id = ${agentId} FOR UPDATE`;
    const [before] = rows;
    if (!before) return null;
    const state = change(before);
    await tx.probeWatch.update({ where: { agentId }, data: state });
    return { before, state };
  });
}
