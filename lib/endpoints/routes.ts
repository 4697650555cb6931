import { a2aJsonrpc } from './a2a-jsonrpc';
import { agentAddress } from './agent-address';
import { health, readiness } from './health';
import { endpointMetadataOf } from './oauth-metadata';
import { openApiOf } from './openapi';
import type { Route } from './route';
import { accountRoutes } from './rows/account';
import { approvalRoutes } from './rows/approvals';
import { catalogRoutes } from './rows/catalog';
import { chatRoutes } from './rows/chat';
import { consoleRoutes } from './rows/console';
import { discoveryRoutes } from './rows/discovery';
import { gatewayRoutes } from './rows/gateway';
import { identityRoutes } from './rows/identity';
import { moderationRoutes } from './rows/moderation';
import { paymentsRoutes } from './rows/payments';
import { reviewsRoutes } from './rows/reviews';
import { siteRoutes } from './rows/site';
import { tokensRoutes } from './rows/tokens';

const baseRoutes: Route[] = [
  { method: 'GET', path: '/healthz', endpoint: health },
  { method: 'GET', path: '/readyz', endpoint: readiness },
  ...identityRoutes,
  ...tokensRoutes,
  ...catalogRoutes,
  ...discoveryRoutes,
  ...consoleRoutes,
  ...reviewsRoutes,
  ...moderationRoutes,
  ...gatewayRoutes,
  ...chatRoutes,
  ...accountRoutes,
  ...paymentsRoutes,
  ...approvalRoutes,
  ...siteRoutes,
  // Behind the pages' own texts, whose paths end in `.md`.
  { method: 'POST', path: '/agents/:slug', endpoint: a2aJsonrpc },
  { method: 'GET', path: '/agents/:slug', endpoint: agentAddress },
];

const metadata = endpointMetadataOf(baseRoutes);

/** Every endpoint of the data plane. `server.ts` serves this table; app/ mounts the same rows for hosts that only run Next. */
export const routes: Route[] = [
  ...baseRoutes,
  { method: 'GET', path: '/.well-known/oauth-protected-resource', endpoint: metadata },
  { method: 'GET', path: '/.well-known/oauth-protected-resource/*', endpoint: metadata },
  { method: 'GET', path: '/openapi.json', endpoint: openApiOf(baseRoutes) },
];
