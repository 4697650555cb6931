import type { AgentSummary } from '../catalog/schema';
import type { SitemapEntry } from './store/sitemap-entries';

const head = '<?xml version="1.0" encoding="UTF-8"?>';
const sitemaps = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/** The list of all parts of the sitemap (sitemaps.org). */
export function renderSitemapIndex(origin: string, parts: number): string {
  const items = Array.from({ length: parts }, (_, at) => `<sitemap><loc>${origin}/sitemaps/${at + 1}</loc></sitemap>`);
  return `${head}\n<sitemapindex xmlns="${sitemaps}">${items.join('')}</sitemapindex>\n`;
}

/** One part of the sitemap: pages of agents, and in the first part Parley's own. */
export function renderSitemap(origin: string, { pages, agents }: { pages: string[]; agents: SitemapEntry[] }): string {
  const own = pages.map((page) => `<url><loc>${escapeXml(origin + page)}</loc></url>`);
  const listed = agents.map(
    ({ slug, updatedAt }) =>
      `<url><loc>${origin}/agents/${slug}</loc><lastmod>${updatedAt.toISOString()}</lastmod></url>`,
  );
  return `${head}\n<urlset xmlns="${sitemaps}">${[...own, ...listed].join('')}</urlset>\n`;
}

/** The agents that were listed last, as an Atom feed (RFC 4287). */
export function renderFeed(origin: string, agents: AgentSummary[], now: Date): string {
  const updated =
    agents
      .map((agent) => agent.updatedAt)
      .sort()
      .at(-1) ?? now.toISOString();
  const entries = agents.map(
    (agent) =>
      `<entry><id>${agent.url}</id><title>${escapeXml(agent.name)}</title><link href="${agent.url}"/>` +
      `<updated>${agent.updatedAt}</updated><author><name>${escapeXml(agent.name)}</name></author>` +
      `${agent.tags.map((tag) => `<category term="${escapeXml(tag)}"/>`).join('')}` +
      `<summary>${escapeXml(agent.description)}</summary></entry>`,
  );
  return (
    `${head}\n<feed xmlns="http://www.w3.org/2005/Atom"><id>${origin}/feed.xml</id><title>New agents on Parley</title>` +
    `<link rel="self" href="${origin}/feed.xml"/><link href="${origin}/agents"/><updated>${updated}</updated>` +
    `${entries.join('')}</feed>\n`
  );
}

/** Text within an element or an attribute; what XML 1.0 has no place for (§2.2) is left out. */
function escapeXml(text: string): string {
  const allowed = text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '');
  return allowed.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
