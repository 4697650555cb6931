import { getAgentPage, renderMarkdown } from '../../catalog';
import { getExample } from '../../chat';
import {
  countSitemapParts,
  getRanking,
  listSitemapEntries,
  renderFeed,
  renderLlmsText,
  renderRankingLines,
  renderSitemap,
  renderSitemapIndex,
  searchAgents,
} from '../../discovery';
import { type SearchResult, searchQuerySchema } from '../../discovery/schema';
import { docsTexts, getDocsTranslation, listDocs, listDocsLanguages } from '../../docs';
import { anchorOf, type DocsPassage, docsPath, placeholderOrigin } from '../../docs/schema';
import { endpoint } from '../../http/endpoint';
import { renderProblemGuides } from '../../http/errors/problem-reference';
import { type CachedText, cachedJsonRoute, cachedTextRoute } from '../../http/routes/cached-document';
import { ParleyError } from '../../platform/errors';
import { env } from '../../platform/runtime/env';
import { FEED_AGENTS, LLMS_TEXT_AGENTS } from '../limits';

const ownPages = [
  '/',
  '/agents',
  '/collections',
  '/ranking',
  '/status',
  '/fees',
  '/docs',
  ...listDocs().map(({ slug }) => docsPath(slug)),
];

/** The rules for crawlers (RFC 9309): public pages are permitted, personal ones are not. */
export const robots = endpoint({
  method: 'GET',
  path: '/robots.txt',
  serve: cachedTextRoute(async () => {
    const closed = [
      '/api/',
      '/chat',
      '/console',
      '/settings',
      '/orders',
      '/sign-in',
      '/sign-up',
      '/forgot',
      '/reset',
      '/device',
    ];
    const lines = ['User-agent: *', ...closed.map((path) => `Disallow: ${path}`), 'Allow: /api/ard/', 'Allow: /'];
    return {
      type: 'text/plain; charset=utf-8',
      text: `${lines.join('\n')}\n\nSitemap: ${env().APP_URL}/sitemap.xml\n`,
    };
  }),
});

/** The index of the sitemap. */
export const sitemap = endpoint({
  method: 'GET',
  path: '/sitemap.xml',
  reads: 'replica',
  serve: cachedTextRoute(async () => xml(renderSitemapIndex(env().APP_URL, await countSitemapParts()))),
});

/** One part of the sitemap, starting with 1. */
export const sitemapPart = endpoint({
  method: 'GET',
  path: '/sitemaps/:part',
  reads: 'replica',
  serve: cachedTextRoute(async ({ part = '' }) => {
    const number = /^[1-9]\d{0,4}$/.test(part) ? Number(part) : 0;
    const agents = number > 0 ? await listSitemapEntries({ input: { part: number } }) : [];
    if (number !== 1 && agents.length === 0) throw new ParleyError('not_found', 'Sitemap part not found.');
    return xml(renderSitemap(env().APP_URL, { pages: number === 1 ? ownPages : [], agents }));
  }),
});

/** The most recently listed agents, as Atom. */
export const feed = endpoint({
  method: 'GET',
  path: '/feed.xml',
  reads: 'replica',
  serve: cachedTextRoute(async () => {
    const now = new Date();
    const text = renderFeed(env().APP_URL, await newest(FEED_AGENTS), now);
    return { type: 'application/atom+xml; charset=utf-8', text };
  }),
});

/** Overview of this Parley for language models. */
export const llms = endpoint({
  method: 'GET',
  path: '/llms.txt',
  reads: 'replica',
  serve: cachedTextRoute(async () => {
    const text = renderLlmsText(env().APP_URL, { newest: await newest(LLMS_TEXT_AGENTS), docs: listDocs() });
    return { type: 'text/plain; charset=utf-8', text };
  }),
});

function xml(text: string): CachedText {
  return { type: 'application/xml; charset=utf-8', text };
}

async function newest(limit: number): Promise<SearchResult[]> {
  const input = searchQuerySchema.parse({ sort: 'newest', limit });
  return (await searchAgents({ ctx: { now: new Date() }, input })).items;
}

/** A docs page as Markdown. */
export const docsMarkdown = endpoint({
  method: 'GET',
  path: '/docs/:page.md',
  serve: cachedTextRoute(async ({ page = '' }) => {
    return { type: 'text/markdown; charset=utf-8', text: markdownOf(page) };
  }),
});

/** The search index of the docs, with all languages. */
export const docsSearch = endpoint({
  method: 'GET',
  path: '/docs/search.json',
  serve: cachedJsonRoute(async () => {
    const passages = listDocs()
      .filter(({ slug }) => slug !== 'api')
      .flatMap(({ slug }) => listDocsLanguages(slug).flatMap((language) => passagesOf(slug, language)));
    return { passages: passages.map((passage, id): DocsPassage => ({ ...passage, id })) };
  }),
});

function markdownOf(slug: string): string {
  const text = slug === 'errors' ? renderProblemGuides() : docsTexts.get(slug);
  if (text === undefined) throw new ParleyError('not_found', 'Page not found in the docs.');
  return text.replaceAll(placeholderOrigin, env().APP_URL);
}

/** Returns a page in a language, split at its headings. The anchors are those of the English headings. */
function passagesOf(slug: string, lang: string): Omit<DocsPassage, 'id'>[] {
  const [, ...originals] = sectionsOf(markdownOf(slug));
  const [lead = '', ...parts] = sectionsOf(getDocsTranslation(slug, lang) ?? markdownOf(slug));
  const title = listDocs(lang).find((entry) => entry.slug === slug)?.title ?? '';
  const opening = { lang, href: docsPath(slug), title, heading: '', text: plainText(lead.replace(/^# .*$/m, '')) };
  const sections = parts.map((part, index) => {
    const [heading = '', ...lines] = part.split('\n');
    const [original = ''] = originals[index]?.split('\n') ?? [];
    return { lang, href: `${docsPath(slug)}#${anchorOf(original)}`, title, heading, text: plainText(lines.join('\n')) };
  });
  return [opening, ...sections];
}

/** Splits a page at its headings. A `#` in code is not a heading. */
function sectionsOf(markdown: string): string[] {
  return withoutCode(markdown).split(/^## /m);
}

function withoutCode(markdown: string): string {
  return markdown.replace(/^```[^\n]*\n([\s\S]*?)^```$/gm, (_block, code: string) => code.replace(/^#/gm, ' #'));
}

/** Returns the searchable text, without Markdown syntax. */
function plainText(text: string): string {
  return text
    .replace(/\]\([^)]*\)/g, ' ')
    .replace(/[`*|[\]#>]/g, ' ')
    .replace(/-{3,}/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The page of a public agent as Markdown. */
export const agentMarkdown = endpoint({
  method: 'GET',
  path: '/agents/:slug.md',
  reads: 'replica',
  serve: cachedTextRoute(async ({ slug = '' }) => {
    const ctx = { actor: { kind: 'anonymous' as const }, now: new Date() };
    const agent = await getAgentPage({ ctx, input: { slug } });
    const facts = renderRankingLines(await getRanking({ ctx, input: { slug } }));
    const { example } = await getExample({ ctx, input: { slug } });
    const turns = example?.turns ?? [];
    return { type: 'text/markdown; charset=utf-8', text: renderMarkdown(agent, facts, turns) };
  }),
});
