import type { Handler } from '../../http/handler';
import { grpcRoute, type TenantCheck } from '../../http/routes/grpc-route';
import { A2A_SERVICE, a2aRpcNames } from '../../platform/grpc/a2a-codec';
import { handleA2aCall } from './jsonrpc';
import { rejectOtherAgent } from './shared-path';

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
