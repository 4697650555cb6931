import { accountEndpoints } from '../account/endpoints';
import { catalogEndpoints } from '../catalog/endpoints';
import { chatEndpoints } from '../chat/endpoints';
import { compatEndpoints } from '../compat/endpoints';
import { consoleEndpoints } from '../console/endpoints';
import { discoveryEndpoints } from '../discovery/endpoints';
import { mcpEndpoints } from '../hosts/mcp/endpoints';
import { openAiEndpoints } from '../hosts/openai/endpoints';
import { type Endpoint, endpoint } from '../http/endpoint';
import { hubSchema } from '../hub/endpoints/hub-schema';
import { identityEndpoints } from '../identity/endpoints';
import { nextAuth } from '../identity/endpoints/next-auth/next-auth';
import { moderationEndpoints } from '../moderation/endpoints';
import { notificationsEndpoints } from '../notifications/endpoints';
import { paymentsEndpoints } from '../payments/endpoints';
import { reviewsEndpoints } from '../reviews/endpoints';
import { getStatusView, health, readiness } from '../status/endpoints';
import { a2aEndpoints } from '../tasks/endpoints';
import { agentAddress } from '../tasks/endpoints/agent-address';
import { a2aJsonrpc } from '../tasks/endpoints/jsonrpc';
import { tokensEndpoints } from '../tokens/endpoints';
import { endpointMetadataOf } from '../tokens/endpoints/oauth-metadata';
import { openApiOf } from './openapi/describe-api';
import { agentMarkdown, docsMarkdown, docsSearch, feed, llms, robots, sitemap, sitemapPart } from './site/documents';
import { getImage } from './site/image-proxy';
import { getPackage, getPythonModule } from './site/packages';

const siteEndpoints: Endpoint[] = [
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

const baseEndpoints: Endpoint[] = [
  endpoint({ method: 'GET', path: '/healthz', serve: health }),
  endpoint({ method: 'GET', path: '/readyz', serve: readiness }),
  ...identityEndpoints,
  ...tokensEndpoints,
  ...catalogEndpoints,
  ...discoveryEndpoints,
  ...consoleEndpoints,
  ...reviewsEndpoints,
  ...moderationEndpoints,
  ...a2aEndpoints,
  ...compatEndpoints,
  ...openAiEndpoints,
  ...mcpEndpoints,
  ...chatEndpoints,
  ...accountEndpoints,
  ...notificationsEndpoints,
  ...paymentsEndpoints,
  ...siteEndpoints,
  // After `/agents/:slug.md`, which these paths match too.
  endpoint({ method: 'POST', path: '/agents/:slug', serve: a2aJsonrpc }),
  endpoint({ method: 'GET', path: '/agents/:slug', serve: agentAddress }),
];

const metadata = endpointMetadataOf(baseEndpoints);

/** All endpoints, which `server.ts` serves. All other paths are pages. */
export const endpoints: Endpoint[] = [
  ...baseEndpoints,
  endpoint({ method: 'GET', path: '/.well-known/oauth-protected-resource', serve: metadata }),
  endpoint({ method: 'GET', path: '/.well-known/oauth-protected-resource/*', serve: metadata }),
  endpoint({ method: 'GET', path: '/openapi.json', serve: openApiOf(baseEndpoints) }),
  endpoint({ method: 'GET', path: '/api/auth/*', serve: nextAuth }),
  endpoint({ method: 'POST', path: '/api/auth/*', serve: nextAuth }),
];
