import { a2aEndpoints } from './a2a';
import { agentAddress } from './a2a/agent-address';
import { a2aJsonrpc } from './a2a/jsonrpc';
import { accountEndpoints } from './account';
import { catalogEndpoints } from './catalog';
import { chatEndpoints } from './chat';
import { consoleEndpoints } from './console';
import { discoveryEndpoints } from './discovery';
import { type Endpoint, endpoint } from './endpoint';
import { identityEndpoints } from './identity';
import { nextAuth } from './identity/next-auth/next-auth';
import { mcpEndpoints } from './mcp';
import { moderationEndpoints } from './moderation';
import { openAiEndpoints } from './openai';
import { openApiOf } from './openapi/describe-api';
import { paymentsEndpoints } from './payments';
import { reviewsEndpoints } from './reviews';
import { siteEndpoints } from './site';
import { health, readiness } from './site/status';
import { tokensEndpoints } from './tokens';
import { endpointMetadataOf } from './tokens/oauth-metadata';

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
  ...openAiEndpoints,
  ...mcpEndpoints,
  ...chatEndpoints,
  ...accountEndpoints,
  ...paymentsEndpoints,
  ...siteEndpoints,
  // After `/agents/:slug.md`, which these paths match too.
  endpoint({ method: 'POST', path: '/agents/:slug', serve: a2aJsonrpc }),
  endpoint({ method: 'GET', path: '/agents/:slug', serve: agentAddress }),
];

const metadata = endpointMetadataOf(baseEndpoints);

/** Every endpoint. `server.ts` serves them; all other paths are pages. */
export const endpoints: Endpoint[] = [
  ...baseEndpoints,
  endpoint({ method: 'GET', path: '/.well-known/oauth-protected-resource', serve: metadata }),
  endpoint({ method: 'GET', path: '/.well-known/oauth-protected-resource/*', serve: metadata }),
  endpoint({ method: 'GET', path: '/openapi.json', serve: openApiOf(baseEndpoints) }),
  endpoint({ method: 'GET', path: '/api/auth/*', serve: nextAuth }),
  endpoint({ method: 'POST', path: '/api/auth/*', serve: nextAuth }),
];
