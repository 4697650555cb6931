import type { Endpoint } from '../../http/endpoint';
import { hubSchema } from '../../hub/endpoints/hub-schema';
import { getStatusView } from '../../status/endpoints';
import { agentMarkdown, docsMarkdown, docsSearch, feed, llms, robots, sitemap, sitemapPart } from './documents';
import { getImage } from './image-proxy';
import { getPackage, getPythonModule } from './packages';

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
