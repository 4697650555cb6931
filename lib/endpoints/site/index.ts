import type { Endpoint } from '../endpoint';
import { agentMarkdown, docsMarkdown, docsSearch, feed, llms, robots, sitemap, sitemapPart } from './documents';
import { hubSchema } from './hub-schema';
import { getImage } from './image-proxy';
import { getPackage, getPythonModule } from './packages';
import { getStatusView } from './status';

export const siteEndpoints: Endpoint[] = [
  robots,
  sitemap,
  sitemapPart,
  feed,
  llms,
  agentMarkdown,
  getImage,
  getPackage,
  getPythonModule,
  docsSearch,
  docsMarkdown,
  getStatusView,
  hubSchema,
];
