import type { AgentSummary } from '../catalog/schema';
import { MAX_LLMS_TEXT_LENGTH, SITEMAP_ENTRIES } from './limits';
import type { SearchResult } from './schema';
import { countSitemapEntries, type SitemapEntry, selectSitemapEntries } from './store/search';

const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8"?>';
const sitemapNamespace = 'http://www.sitemaps.org/schemas/sitemap/0.9';

/** Returns the number of sitemaps for all public agents, at least one. */
export async function countSitemapParts(): Promise<number> {
  return Math.max(1, Math.ceil((await countSitemapEntries()) / SITEMAP_ENTRIES));
}

/** Lists the agents of one sitemap, counted from 1; empty after the last one. */
export async function listSitemapEntries({ input }: { input: { part: number } }): Promise<SitemapEntry[]> {
  return selectSitemapEntries({ offset: (input.part - 1) * SITEMAP_ENTRIES, limit: SITEMAP_ENTRIES });
}

/** Returns the sitemap index (sitemaps.org). */
export function renderSitemapIndex(origin: string, parts: number): string {
  const items = Array.from(
    { length: parts },
    (_, index) => `<sitemap><loc>${origin}/sitemaps/${index + 1}</loc></sitemap>`,
  );
  return `${xmlDeclaration}\n<sitemapindex xmlns="${sitemapNamespace}">${items.join('')}</sitemapindex>\n`;
}

/** Returns one sitemap: Parley's own `pages` and those of `agents`. */
export function renderSitemap(origin: string, { pages, agents }: { pages: string[]; agents: SitemapEntry[] }): string {
  const own = pages.map((page) => `<url><loc>${escapeXml(origin + page)}</loc></url>`);
  const listed = agents.map(
    ({ slug, updatedAt }) =>
      `<url><loc>${origin}/agents/${slug}</loc><lastmod>${updatedAt.toISOString()}</lastmod></url>`,
  );
  return `${xmlDeclaration}\n<urlset xmlns="${sitemapNamespace}">${[...own, ...listed].join('')}</urlset>\n`;
}

/** Returns the newest agents as an Atom feed (RFC 4287). */
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
    `${xmlDeclaration}\n<feed xmlns="http://www.w3.org/2005/Atom"><id>${origin}/feed.xml</id><title>New agents on Parley</title>` +
    `<link rel="self" href="${origin}/feed.xml"/><link href="${origin}/agents"/><updated>${updated}</updated>` +
    `${entries.join('')}</feed>\n`
  );
}

/** Escapes text for an element or attribute, without characters that XML 1.0 forbids (§2.2). */
export function escapeXml(text: string): string {
  const allowed = text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '');
  return allowed.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

interface LlmsTextInput {
  newest: SearchResult[];
  docs: { slug: string; title: string; summary: string }[];
}

/**
 * Returns the document for language models (llmstxt.org): a description, Parley's endpoints for programs, the
 * documentation, and the newest agents.
 */
export function renderLlmsText(origin: string, { newest, docs }: LlmsTextInput): string {
  const agents = newest.map(
    ({ name, url, description, standing }) =>
      `- [${escapeLinkText(name)}](${url}.md): ${escapeLinkText(description)} (${rankingText(standing)})`,
  );
  return [
    '# Parley',
    '',
    '> An open marketplace and gateway for A2A (Agent2Agent) agents. Find an agent, send it a message, and pay when it makes an offer.',
    '',
    'Every agent has a page, a Markdown version of the page (append `.md` to its URL), an agent card in A2A 1.0 and 0.3, and one URL for calls.',
    'Callers exchange an access token for a token for one agent (`POST /api/auth/handshake`) and call `POST /agents/{slug}/a2a/jsonrpc`.',
    '',
    '## For programs',
    '',
    `- [Search agents](${origin}/api/agents?q=pizza): JSON; parameters q, tag, capability, health, price, rating, updated, publisher, sort, limit, cursor`,
    `- [Agents as ARD entries](${origin}/.well-known/ard.json): Agentic Resource Discovery v0.91; search with POST ${origin}/api/ard/search`,
    `- [Checks and ranking](${origin}/ranking): health, usage and score with its factors, as JSON at \`/api/agents/{slug}/standing\``,
    `- [Agents as MCP servers](${origin}/v0.1/servers): MCP registry API v0.1; ${origin}/mcp reaches all agents`,
    `- [Parley's own agent card](${origin}/.well-known/agent-card.json): A2A`,
    `- [Token service](${origin}/.well-known/oauth-authorization-server): OAuth metadata (RFC 8414)`,
    `- [New agents](${origin}/feed.xml): Atom`,
    `- [All agents](${origin}/sitemap.xml): sitemap`,
    '',
    '## Documentation',
    '',
    ...docs
      .filter(({ slug }) => slug !== 'api')
      .map(({ slug, title, summary }) => `- [${title}](${origin}/docs/${slug}.md): ${summary}`),
    `- [OpenAPI 3.1](${origin}/openapi.json): all endpoints below /api`,
    '',
    '## Recently listed agents',
    '',
    ...agents,
    '',
  ].join('\n');
}

function rankingText({ health, score, rating }: SearchResult['standing']): string {
  const words = [health === 'unknown' ? 'not checked yet' : health];
  if (score !== null) words.push(`score ${score} of 100`);
  if (rating) words.push(`${rating.average.toFixed(1)} out of 5 stars by ${rating.count}`);
  return words.join(', ');
}

/** Returns the text as one line without Markdown link syntax. */
function escapeLinkText(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return (line.length > MAX_LLMS_TEXT_LENGTH ? `${line.slice(0, MAX_LLMS_TEXT_LENGTH - 1)}…` : line).replace(
    /[[\]()<>`]/g,
    '\\$&',
  );
}
