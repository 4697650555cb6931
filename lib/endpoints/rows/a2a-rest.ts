import type { Method } from '../../http/endpoint';
import { a2aRest } from '../a2a-rest';
import type { Route } from '../route';

const base = '/agents/:slug/a2a/rest';

type Operation = Parameters<typeof a2aRest>[1];

/** Paths of A2A 1.0's HTTP binding (§11.3). 0.3 has the same below `/v1`, but for its card. Subscribing is POST in the
 * text and GET in the proto; both are answered. */
const paths: [Method, string, Operation][] = [
  ['POST', '/message:send', 'send'],
  ['POST', '/message:stream', 'stream'],
  ['POST', '/tasks/:task:cancel', 'cancel'],
  ['GET', '/tasks/:task:subscribe', 'subscribe'],
  ['POST', '/tasks/:task:subscribe', 'subscribe'],
  ['GET', '/tasks', 'list'],
  ['GET', '/tasks/:task', 'get'],
  ['POST', '/tasks/:task/pushNotificationConfigs', 'push-set'],
  ['GET', '/tasks/:task/pushNotificationConfigs', 'push-list'],
  ['GET', '/tasks/:task/pushNotificationConfigs/:config', 'push-get'],
  ['DELETE', '/tasks/:task/pushNotificationConfigs/:config', 'push-delete'],
];

export const a2aRestRoutes: Route[] = [
  ...paths.map(([method, path, operation]) => ({
    method,
    path: `${base}${path}`,
    endpoint: a2aRest('1.0', operation),
  })),
  { method: 'GET', path: `${base}/extendedAgentCard`, endpoint: a2aRest('1.0', 'card') },
  ...paths.map(([method, path, operation]) => ({
    method,
    path: `${base}/v1${path}`,
    endpoint: a2aRest('0.3', operation),
  })),
  { method: 'GET', path: `${base}/v1/card`, endpoint: a2aRest('0.3', 'card') },
  // Where A2A 0.2 has it: beside the address in the card.
  { method: 'GET', path: '/agents/:slug/a2a/agent/authenticatedExtendedCard', endpoint: a2aRest('0.2', 'card') },
];
