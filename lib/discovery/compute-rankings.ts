import { findAgent, requireVisible, roleOf, type SearchRanking, writeSearchRankings } from '../catalog';
import type { Ctx } from '../platform/context';
import { env } from '../platform/runtime/env';
import { MAX_RANKINGS_PER_RUN, RANKING_BATCH } from './limits';
import {
  bayesianRating,
  LATENCY_WINDOW_DAYS,
  MAINTENANCE_PENALTY,
  SCORE_WINDOW_DAYS,
  type ScoreInput,
  scoreParts,
  totalOf,
} from './ranking/score';
import type { AgentRanking, Health } from './schema-rankings';
import {
  claimDueRankings,
  deleteOldTaskDays,
  markUnranked,
  type RankingRecord,
  selectProbeHistory,
  selectRanking,
  selectScoreInputs,
  upsertRankings,
} from './store/ranking-rows';

/** Computes the rankings that are due, each on one node, and writes them to the search rows. Returns their number. */
export async function computeRankings(now: Date): Promise<number> {
  await deleteOldTaskDays(now);
  await markUnranked(now, MAX_RANKINGS_PER_RUN);
  let computed = 0;
  while (computed < MAX_RANKINGS_PER_RUN) {
    const count = await computeBatch(now);
    computed += count;
    if (count < RANKING_BATCH) break;
  }
  return computed;
}

async function computeBatch(now: Date): Promise<number> {
  const agentIds = await claimDueRankings(now, RANKING_BATCH);
  if (agentIds.length === 0) return 0;
  const inputs = await selectScoreInputs(agentIds, now);
  const rankings = inputs.map(rankingOf);
  await upsertRankings(rankings, now);
  await writeSearchRankings(inputs.map((input, index) => toSearchRanking(input, rankings[index]?.score ?? 0)));
  return agentIds.length;
}

function rankingOf(input: ScoreInput & { agentId: string; hasDemoData: boolean }): RankingRecord {
  const { agentId, health, stage, checks, good, p50Ms, p95Ms, users, calls, completed, failed, reviews, stars } = input;
  const { hasDemoData } = input;
  const parts = scoreParts(input);
  return {
    ...{ agentId, health, stage, p50Ms, p95Ms, users, calls },
    uptime: checks === 0 ? null : good / checks,
    success: completed + failed === 0 ? null : completed / (completed + failed),
    rating: reviews === 0 ? null : stars / reviews,
    reviewCount: reviews,
    hasDemoData,
    score: totalOf(parts),
    parts,
  };
}

function toSearchRanking(input: ScoreInput & { agentId: string }, score: number): SearchRanking {
  const { agentId, health, stage, users, reviews, stars } = input;
  return {
    ...{ agentId, health, users },
    isWithheld: stage === 'withheld',
    rank: stage === 'listed' ? score : score + MAINTENANCE_PENALTY,
    rating: reviews === 0 ? 0 : Math.round((stars / reviews) * 100),
    ratingRank: reviews === 0 ? 0 : Math.round(bayesianRating(input) * 100),
  };
}

/**
 * Returns an agent's ranking with all parts of its score.
 * @throws {ParleyError} `not_found`; `gone` if it was public before it was withdrawn
 */
export async function getRanking({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'actor' | 'now'>;
  input: { slug: string };
}): Promise<AgentRanking> {
  const agent = requireVisible(ctx.actor, await findAgent(input.slug));
  const [ranking, history] = await Promise.all([selectRanking(agent.id), selectProbeHistory(agent.id, ctx.now)]);
  return { isOwn: roleOf(ctx.actor, agent) !== null, ...toAgentRanking(ranking, history) };
}

function toAgentRanking(
  ranking: Awaited<ReturnType<typeof selectRanking>>,
  history: AgentRanking['history'],
): Omit<AgentRanking, 'isOwn'> {
  const days = SCORE_WINDOW_DAYS;
  const checks = history.reduce((sum, day) => sum + day.checks, 0);
  const good = history.reduce((sum, day) => sum + day.good, 0);
  const { checkedAt, checkedBy, p50Ms, p95Ms, rating, computedAt } = ranking ?? {};
  const hasLatency = typeof p50Ms === 'number' && typeof p95Ms === 'number';
  return {
    health: ranking?.health ?? 'unknown',
    rung: ranking?.stage ?? 'listed',
    checked: checkedAt && checkedBy ? { at: checkedAt.toISOString(), by: checkedBy } : null,
    failingSince: ranking?.failingSince?.toISOString() ?? null,
    intervals: probeIntervals(),
    uptime: checks === 0 ? null : { share: good / checks, checks, days },
    latency: hasLatency ? { p50Ms, p95Ms, days: LATENCY_WINDOW_DAYS } : null,
    history,
    use: { users: ranking?.users ?? 0, calls: ranking?.calls ?? 0, success: ranking?.success ?? null, days },
    rating: typeof rating === 'number' ? { average: rating, count: ranking?.reviewCount ?? 0 } : null,
    score:
      ranking && computedAt
        ? { total: ranking.score, parts: ranking.parts, computedAt: computedAt.toISOString() }
        : null,
    ...(ranking?.hasDemoData && { hasDemoData: true }),
  };
}

/**
 * Returns the intervals of probes, seconds; null if probes are disabled. `runSeconds` is 0 if only runs are disabled.
 */
export function probeIntervals(): AgentRanking['intervals'] {
  const { PROBE_INTERVAL_SECONDS: reachSeconds, PROBE_RUN_INTERVAL_SECONDS: runSeconds } = env();
  return reachSeconds === 0 ? null : { reachSeconds, runSeconds };
}

/** Returns an agent's ranking as lines of text, for its Markdown page. */
export function renderRankingLines(ranking: AgentRanking): string[] {
  const { health, checked, uptime, latency, use, rating, score } = ranking;
  const lines = [checked ? `Health: ${health}, last checked ${checked.at}` : 'Health: not checked yet'];
  if (uptime) lines.push(`Uptime: ${percent(uptime.share)} of ${uptime.checks} checks in the last ${uptime.days} days`);
  if (latency)
    lines.push(
      `Latency: ${latency.p50Ms} ms (median), ${latency.p95Ms} ms (95th percentile), last ${latency.days} days`,
    );
  lines.push(`Usage: ${use.users} users and ${use.calls} tasks in the last ${use.days} days`);
  if (use.success !== null) lines.push(`Success rate: ${percent(use.success)} of finished tasks`);
  if (rating) lines.push(`Reviews: ${rating.average.toFixed(1)} out of 5 stars (${rating.count})`);
  if (score)
    lines.push(
      `Score: ${score.total} of 100 (${score.parts.map((part) => `${part.key} ${part.points}/${part.weight}`).join(', ')})`,
    );
  return lines;
}

function percent(share: number): string {
  return `${Math.floor(share * 1000) / 10}%`;
}

const colors: Record<Health, string> = {
  healthy: '#1d6b3f',
  degraded: '#8a5a00',
  down: '#a3231f',
  unknown: '#55606b',
};
const texts: Record<Health, string> = {
  healthy: 'healthy',
  degraded: 'degraded',
  down: 'down',
  unknown: 'not checked',
};
const labelWidth = 52;
/** Mean width of a character, pixels. */
const charWidth = 6.4;

/** Renders an SVG badge with an agent's health and uptime. It contains no text from the agent. */
export function renderBadge({ health, uptime }: Pick<AgentRanking, 'health' | 'uptime'>): string {
  const share = uptime && health !== 'down' ? ` · ${Math.floor(uptime.share * 1000) / 10}%` : '';
  const text = `${texts[health]}${share}`;
  const valueWidth = Math.round(text.length * charWidth) + 14;
  const width = labelWidth + valueWidth;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="Parley: ${text}">`,
    `<title>Parley: ${text}</title><clipPath id="r"><rect width="${width}" height="20" rx="4"/></clipPath>`,
    `<g clip-path="url(#r)"><rect width="${labelWidth}" height="20" fill="#1b2b38"/>`,
    `<rect x="${labelWidth}" width="${valueWidth}" height="20" fill="${colors[health]}"/></g>`,
    '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">',
    `<text x="${labelWidth / 2}" y="14">Parley</text><text x="${labelWidth + valueWidth / 2}" y="14">${text}</text></g></svg>`,
    '',
  ].join('\n');
}
