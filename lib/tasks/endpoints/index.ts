import { cardEndpoints } from '../../catalog/endpoints/agent-cards';
import { type Endpoint, endpoint } from '../../http/endpoint';
import type { Handler, Method } from '../../http/handler';
import { grpcRoute, type TenantCheck } from '../../http/routes/grpc-route';
import { type RestRoute, restRoute } from '../../http/routes/rest-route';
import { A2A_SERVICE, a2aRpcNames } from '../../platform/grpc/a2a-codec';
import { a2aJsonrpc, handleA2aCall } from './jsonrpc';
import { findPayer, payable } from './paid-calls';
import { getDeadLetters, getPushReceivers, postAgentPush, removePushReceiver } from './push';
import { neutralA2a, rejectOtherAgent } from './shared-path';

const basePath = '/agents/:slug/a2a/rest';

/**
 * The paths of A2A 1.0's HTTP binding (§11.3). The text specifies POST for subscribe, the proto GET. Both are served.
 */
const paths: [Method, string, RestRoute['operation']][] = [
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

function restEndpoint(version: RestRoute['version'], [method, path, operation]: (typeof paths)[number]): Endpoint {
  return endpoint({ method, path, serve: restRoute({ version, operation }, payable(handleA2aCall), findPayer) });
}

function endpointsOf(version: RestRoute['version'], base: string): Endpoint[] {
  return paths.map(([method, path, operation]) => restEndpoint(version, [method, base + path, operation]));
}

/** The HTTP+JSON binding, with the same codecs and operations as JSON-RPC. */
const a2aRestEndpoints: Endpoint[] = [
  ...endpointsOf('1.0', basePath),
  restEndpoint('1.0', ['GET', `${basePath}/extendedAgentCard`, 'card']),
  ...endpointsOf('0.3', `${basePath}/v1`),
  restEndpoint('0.3', ['GET', `${basePath}/v1/card`, 'card']),
  // A2A 0.2 clients resolve this path against the card's URL.
  restEndpoint('0.2', ['GET', '/agents/:slug/a2a/agent/authenticatedExtendedCard', 'card']),
];

export const a2aEndpoints: Endpoint[] = [
  ...cardEndpoints,
  endpoint({ method: 'POST', path: '/agents/:slug/a2a/jsonrpc', serve: a2aJsonrpc }),
  ...a2aRestEndpoints,
  getDeadLetters,
  getPushReceivers,
  removePushReceiver,
  postAgentPush,
  neutralA2a,
];

/**
 * The methods of A2A's gRPC service by path, with the same codecs and operations as JSON-RPC. All agents share them: the
 * token names the agent, and so may `tenant`.
 */
export const a2aGrpcMethods: Record<string, Handler> = Object.fromEntries(
  a2aRpcNames.map((rpc) => [`/${A2A_SERVICE}/${rpc}`, grpcRoute({ rpc, handle: handleA2aCall, checkTenant })]),
);

/** Requires that the tenant, an agent's slug, is the token's agent. */
async function checkTenant({ ctx, agent, tenant }: TenantCheck): Promise<void> {
  if (tenant !== agent.slug) await rejectOtherAgent(ctx.actor, agent.slug, tenant);
}
