import { a2aJsonrpc } from './a2a-jsonrpc';
import { agentAddress } from './agent-address';
import { health, readiness } from './health';
import { endpointMetadataOf } from './oauth-metadata';
import { openApiOf } from './openapi';
import type { Row } from './row';
import { accountRows } from './rows/account';
import { approvalRows } from './rows/approvals';
import { catalogRows } from './rows/catalog';
import { chatRows } from './rows/chat';
import { consoleRows } from './rows/console';
import { discoveryRows } from './rows/discovery';
import { gatewayRows } from './rows/gateway';
import { identityRows } from './rows/identity';
import { moderationRows } from './rows/moderation';
import { paymentsRows } from './rows/payments';
import { reviewsRows } from './rows/reviews';
import { siteRows } from './rows/site';
import { tokensRows } from './rows/tokens';

const rows: Row[] = [
  { method: 'GET', path: '/healthz', endpoint: health },
  { method: 'GET', path: '/readyz', endpoint: readiness },
  ...identityRows,
  ...tokensRows,
  ...catalogRows,
  ...discoveryRows,
  ...consoleRows,
  ...reviewsRows,
  ...moderationRows,
  ...gatewayRows,
  ...chatRows,
  ...accountRows,
  ...paymentsRows,
  ...approvalRows,
  ...siteRows,
  // Behind the pages' own texts, whose paths end in `.md`.
  { method: 'POST', path: '/agents/:slug', endpoint: a2aJsonrpc },
  { method: 'GET', path: '/agents/:slug', endpoint: agentAddress },
];

const metadata = endpointMetadataOf(rows);

/** Every endpoint of the data plane. `server.ts` serves this table; app/ mounts the same rows for hosts that only run Next. */
export const table: Row[] = [
  ...rows,
  { method: 'GET', path: '/.well-known/oauth-protected-resource', endpoint: metadata },
  { method: 'GET', path: '/.well-known/oauth-protected-resource/*', endpoint: metadata },
  { method: 'GET', path: '/openapi.json', endpoint: openApiOf(rows) },
];
