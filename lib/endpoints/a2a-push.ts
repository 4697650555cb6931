import type { AgentRecord } from '../catalog';
import { deletePushConfig, getPushConfig, listPushConfigs, setPushConfig } from '../gateway';
import type { RpcCall } from '../http/routes/rpc-route';
import type { PushDialect } from '../protocol/a2a/core/push';
import type { CoreRequest } from '../protocol/a2a/core/requests';
import type { JsonValue } from '../protocol/json';

/** How pushes that this caller asks for are written: callers of 0.1 get what 0.3 writes, a task. */
export function pushDialectOf({ dialect }: Pick<RpcCall, 'dialect'>): PushDialect {
  return dialect.key === '1.0' ? '1.0' : '0.3';
}

type PushRequest = Extract<CoreRequest, { op: `push-${string}` }>;

/** The push notification configurations of a task, in any binding. */
export async function answerPush(call: RpcCall, agent: AgentRecord, request: PushRequest): Promise<JsonValue> {
  const { ctx, dialect } = call;
  switch (request.op) {
    case 'push-set': {
      const { taskId, target } = request;
      return dialect.pushConfigResult(
        await setPushConfig({ ctx, input: { agent, taskId, target, dialect: pushDialectOf(call) } }),
      );
    }
    case 'push-get':
      return dialect.pushConfigResult(await getPushConfig({ ctx, input: { agent, ...request } }));
    case 'push-list':
      return dialect.pushListResult(await listPushConfigs({ ctx, input: { agent, ...request } }));
    case 'push-delete':
      await deletePushConfig({ ctx, input: { agent, ...request } });
      return dialect.pushDeleteResult;
  }
}
