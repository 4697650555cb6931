import {
  countSitemapParts,
  listSitemapEntries,
  renderFeed,
  renderLlmsText,
  renderSitemap,
  renderSitemapIndex,
  searchAgents,
} from '../discovery';
import { type SearchResult, searchQuerySchema } from '../discovery/schema';
import { listDocs } from '../docs';
import { docsPath } from '../docs/schema';
import type { Endpoint } from '../http/endpoint';
import { type CachedText, cachedTextRoute } from '../http/routes/cached-document';
import { env } from '../platform/env';
import { ParleyError } from '../platform/errors';

const ownPages = [
  '/',
  '/agents',
  '/collections',
  '/ranking',
  '/status',
  '/docs',
  ...listDocs().map(({ slug }) => docsPath(slug)),
];

/** `GET /robots.txt` (RFC 9309): pages are for everybody, what belongs to one person is not. */
export const robots: Endpoint = cachedTextRoute(async () => {
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
  const lines = ['User-agent: *', ...closed.map((path) => `Disallow: ${path}`), 'Allow: /'];
  return { type: 'text/plain; charset=utf-8', text: `${lines.join('\n')}\n\nSitemap: ${env().APP_URL}/sitemap.xml\n` };
});

/** `GET /sitemap.xml`: the parts of the sitemap. */
export const sitemap: Endpoint = cachedTextRoute(async () =>
  xml(renderSitemapIndex(env().APP_URL, await countSitemapParts())),
);

/** `GET /sitemaps/{part}`: one part, from 1 on. */
export const sitemapPart: Endpoint = cachedTextRoute(async ({ part = '' }) => {
  const number = /^[1-9]\d{0,4}$/.test(part) ? Number(part) : 0;
  const agents = number > 0 ? await listSitemapEntries({ input: { part: number } }) : [];
  if (number !== 1 && agents.length === 0) throw new ParleyError('not_found', 'The sitemap has no such part.');
  return xml(renderSitemap(env().APP_URL, { pages: number === 1 ? ownPages : [], agents }));
});

/** `GET /feed.xml`: the fifty agents that were listed last. */
export const feed: Endpoint = cachedTextRoute(async () => {
  const now = new Date();
  const text = renderFeed(env().APP_URL, await newest(50), now);
  return { type: 'application/atom+xml; charset=utf-8', text };
});

/** `GET /llms.txt`: what a language model should know of this Parley. */
export const llms: Endpoint = cachedTextRoute(async () => {
  const text = renderLlmsText(env().APP_URL, { newest: await newest(25), docs: listDocs() });
  return { type: 'text/plain; charset=utf-8', text };
});

function xml(text: string): CachedText {
  return { type: 'application/xml; charset=utf-8', text };
}

async function newest(limit: number): Promise<SearchResult[]> {
  const input = searchQuerySchema.parse({ sort: 'newest', limit });
  return (await searchAgents({ ctx: { now: new Date() }, input })).items;
}
