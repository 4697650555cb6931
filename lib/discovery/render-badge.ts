import type { AgentRanking, Health } from './schema';

const colours: Record<Health, string> = {
  healthy: '#1d6b3f',
  degraded: '#8a5a00',
  down: '#a3231f',
  unknown: '#55606b',
};
const texts: Record<Health, string> = {
  healthy: 'healthy',
  degraded: 'has trouble',
  down: 'down',
  unknown: 'not checked',
};
const labelWidth = 52;
/** Mean width of a character of the font, px. */
const charWidth = 6.4;

/** A small picture that says how an agent is: health and, where it is known, uptime. Nothing of it is the agent's own text. */
export function renderBadge({ health, uptime }: Pick<AgentRanking, 'health' | 'uptime'>): string {
  const share = uptime && health !== 'down' ? ` · ${Math.floor(uptime.share * 1000) / 10} %` : '';
  const text = `${texts[health]}${share}`;
  const valueWidth = Math.round(text.length * charWidth) + 14;
  const width = labelWidth + valueWidth;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="Parley: ${text}">`,
    `<title>Parley: ${text}</title><clipPath id="r"><rect width="${width}" height="20" rx="4"/></clipPath>`,
    `<g clip-path="url(#r)"><rect width="${labelWidth}" height="20" fill="#1b2b38"/>`,
    `<rect x="${labelWidth}" width="${valueWidth}" height="20" fill="${colours[health]}"/></g>`,
    '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">',
    `<text x="${labelWidth / 2}" y="14">Parley</text><text x="${labelWidth + valueWidth / 2}" y="14">${text}</text></g></svg>`,
    '',
  ].join('\n');
}
