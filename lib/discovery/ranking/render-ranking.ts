import type { AgentRanking, Health } from '../schema-rankings';

/** An agent's ranking as lines of text, for its Markdown page. */
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
  if (rating) lines.push(`Reviews: ${rating.average.toFixed(1)} of 5 stars (${rating.count})`);
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

/** An SVG badge with an agent's health and uptime. It contains no text of the agent. */
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
