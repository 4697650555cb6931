import type { LoggedExchange, LoggedFailure } from '../../observability/schema';
import { newId } from '../../platform/ids';
import { query } from '../../platform/sql';
import type { ProbeKind } from '../schema';

/** One probe of an agent. */
export interface ProbeRecord {
  id: string;
  agentId: string;
  at: Date;
  kind: ProbeKind;
  good: boolean;
  ms: number;
  failure: LoggedFailure | null;
}

/** Keeps a probe and adds it to its day. Latency is that of good reachability probes. */
export async function insertProbe(probe: Omit<ProbeRecord, 'id'>): Promise<void> {
  const { agentId, at, kind, good, ms, failure } = probe;
  const wire = failure?.wire ? JSON.stringify(failure.wire) : null;
  await query(
    'insert-probe',
    `INSERT INTO probe (id, agent_id, at, kind, good, ms, code, message, wire) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [newId('prb'), agentId, at, kind, good, ms, failure?.code ?? null, failure?.message ?? null, wire],
  );
  await query(
    'sum-probe-day',
    `INSERT INTO probe_day (agent_id, day, checks, good, p50_ms, p95_ms)
     SELECT $1, d.day, count(*), count(*) FILTER (WHERE p.good),
       percentile_cont(0.5) WITHIN GROUP (ORDER BY p.ms) FILTER (WHERE p.good AND p.kind = 'reach'),
       percentile_cont(0.95) WITHIN GROUP (ORDER BY p.ms) FILTER (WHERE p.good AND p.kind = 'reach')
     FROM (SELECT ($2::timestamptz AT TIME ZONE 'UTC')::date AS day) d
       JOIN probe p ON p.agent_id = $1 AND p.at >= d.day AT TIME ZONE 'UTC' AND p.at < (d.day + 1) AT TIME ZONE 'UTC'
     GROUP BY d.day
     ON CONFLICT (agent_id, day) DO UPDATE SET checks = excluded.checks, good = excluded.good,
       p50_ms = excluded.p50_ms, p95_ms = excluded.p95_ms`,
    [agentId, at],
  );
}

interface ProbeRow extends Omit<ProbeRecord, 'failure'> {
  code: string | null;
  message: string | null;
  wire: LoggedExchange | null;
}

/** The latest probes of an agent, newest first; with `failed` those that failed alone. */
export async function selectProbes(
  agentId: string,
  { failed, limit }: { failed: boolean; limit: number },
): Promise<ProbeRecord[]> {
  const rows = await query<ProbeRow>(
    'probes',
    `SELECT id, agent_id AS "agentId", at, kind, good, ms, code, message, wire FROM probe
     WHERE agent_id = $1 AND ($2 = false OR NOT good) ORDER BY at DESC, id DESC LIMIT $3`,
    [agentId, failed, limit],
  );
  return rows.map(({ code, message, wire, ...probe }) => ({
    ...probe,
    failure: code === null ? null : { code, message: message ?? '', wire },
  }));
}

/** Drops single probes after a week, and days after thirty. */
export async function pruneProbes(now: Date): Promise<void> {
  await query('drop-probes', `DELETE FROM probe WHERE at < $1::timestamptz - interval '7 days'`, [now]);
  const text = `DELETE FROM probe_day WHERE day < ($1::timestamptz AT TIME ZONE 'UTC')::date - 30`;
  await query('drop-probe-days', text, [now]);
}
