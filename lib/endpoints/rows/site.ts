import { agentMarkdown } from '../agent-markdown';
import { statusView } from '../answers/status';
import { docsMarkdown, docsSearch } from '../docs';
import { getImage, imageQuerySchema } from '../images';
import type { Route } from '../route';
import { feed, llms, robots, sitemap, sitemapPart } from '../site-documents';
import { getStatusView } from '../status';

/** What programs read in place of pages. */
export const siteRoutes: Route[] = [
  { method: 'GET', path: '/robots.txt', endpoint: robots },
  { method: 'GET', path: '/sitemap.xml', endpoint: sitemap },
  { method: 'GET', path: '/sitemaps/:part', endpoint: sitemapPart },
  { method: 'GET', path: '/feed.xml', endpoint: feed },
  { method: 'GET', path: '/llms.txt', endpoint: llms },
  { method: 'GET', path: '/agents/:slug.md', endpoint: agentMarkdown },
  {
    method: 'GET',
    path: '/api/pictures',
    endpoint: getImage,
    docs: {
      tag: 'Site',
      summary: 'Show a foreign picture',
      description: 'Only addresses that Parley signed are fetched; the picture is made anew.',
      query: imageQuerySchema,
      mediaType: 'image/webp',
      problems: ['not_found', 'unsupported_media_type', 'rate_limited'],
    },
  },
  { method: 'GET', path: '/docs/search.json', endpoint: docsSearch },
  { method: 'GET', path: '/docs/:page.md', endpoint: docsMarkdown },
  {
    method: 'GET',
    path: '/api/status',
    endpoint: getStatusView,
    docs: { tag: 'Site', summary: 'Tell how Parley does and did', response: statusView },
  },
];
