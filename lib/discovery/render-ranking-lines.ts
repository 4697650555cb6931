import type { AgentRanking } from './schema';

/** How an agent stands, a line each, for programs that read. */
export function renderRankingLines(ranking: AgentRanking): string[] {
  const { health, checked, uptime, latency, use, rating, score } = ranking;
  const lines = [checked ? `Health: ${health}, last checked ${checked.at}` : 'Health: not checked yet'];
  if (uptime) lines.push(`Uptime: ${percent(uptime.share)} of ${uptime.checks} checks in ${uptime.days} days`);
  if (latency)
    lines.push(`Answers in: ${latency.p50Ms} ms (median), ${latency.p95Ms} ms (95th percentile), ${latency.days} days`);
  lines.push(`Use: ${use.users} users and ${use.calls} tasks in ${use.days} days`);
  if (use.success !== null) lines.push(`Tasks done: ${percent(use.success)} of those that ended`);
  if (rating) lines.push(`Reviews: ${rating.average.toFixed(1)} of 5 stars by ${rating.count}`);
  if (score)
    lines.push(
      `Score: ${score.total} of 100 (${score.parts.map((part) => `${part.key} ${part.points}/${part.weight}`).join(', ')})`,
    );
  return lines;
}

function percent(share: number): string {
  return `${Math.floor(share * 1000) / 10} %`;
}
