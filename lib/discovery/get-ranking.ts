import { findAgent, requireVisible, roleOf } from '../catalog';
import type { Ctx } from '../platform/context';
import { env } from '../platform/env';
import type { AgentRanking } from './schema';
import { windows } from './score';
import { selectProbeHistory, selectRanking } from './store/rankings';

/**
 * How an agent stands, with everything that its score is made of.
 * @throws {ParleyError} `not_found`; `gone` when it was public once and is withdrawn
 */
export async function getRanking({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'actor' | 'now'>;
  input: { slug: string };
}): Promise<AgentRanking> {
  const agent = requireVisible(ctx.actor, await findAgent(input.slug));
  const [known, history] = await Promise.all([selectRanking(agent.id), selectProbeHistory(agent.id, ctx.now)]);
  return { isOwn: roleOf(ctx.actor, agent) !== null, ...toAgentRanking(known, history) };
}

function toAgentRanking(
  known: Awaited<ReturnType<typeof selectRanking>>,
  history: AgentRanking['history'],
): Omit<AgentRanking, 'isOwn'> {
  const checks = history.reduce((sum, day) => sum + day.checks, 0);
  const good = history.reduce((sum, day) => sum + day.good, 0);
  const { checkedAt, checkedBy, p50Ms, p95Ms, rating, computedAt } = known ?? {};
  const hasLatency = typeof p50Ms === 'number' && typeof p95Ms === 'number';
  return {
    health: known?.health ?? 'unknown',
    rung: known?.rung ?? 'listed',
    checked: checkedAt && checkedBy ? { at: checkedAt.toISOString(), by: checkedBy } : null,
    failingSince: known?.failingSince?.toISOString() ?? null,
    intervals: probeIntervals(),
    uptime: checks === 0 ? null : { share: good / checks, checks, days: windows.days },
    latency: hasLatency ? { p50Ms, p95Ms, days: windows.latencyDays } : null,
    history,
    use: { users: known?.users ?? 0, calls: known?.calls ?? 0, success: known?.success ?? null, days: windows.days },
    rating: typeof rating === 'number' ? { average: rating, count: known?.reviewCount ?? 0 } : null,
    score:
      known && computedAt ? { total: known.score, parts: known.parts, computedAt: computedAt.toISOString() } : null,
  };
}

/** How often agents are probed, seconds; null where they are not. A run of 0 seconds is never made. */
export function probeIntervals(): AgentRanking['intervals'] {
  const { PROBE_INTERVAL_SECONDS: reachSeconds, PROBE_RUN_INTERVAL_SECONDS: runSeconds } = env();
  return reachSeconds === 0 ? null : { reachSeconds, runSeconds };
}
