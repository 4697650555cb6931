import type { AgentRecord } from '../../catalog';
import { getPushOverview } from '../../console';
import { deadLetterSchema, pushOverviewSchema, recoveryInputSchema } from '../../console/schema';
import { bearerOf } from '../../http/credentials';
import { endpoint } from '../../http/endpoint';
import { problemOf } from '../../http/errors/render-error';
import { readJson, requestIdOf } from '../../http/request';
import { respond } from '../../http/respond';
import type { RpcCall } from '../../http/routes/a2a-call';
import { listOf } from '../../platform/schema';
import type { CoreRequest, PushDialect } from '../../protocol/a2a/core/model';
import type { JsonValue } from '../../protocol/json';
import {
  deletePushConfig,
  deletePushReceiver,
  getPushConfig,
  listDeadLetters,
  listPushConfigs,
  listPushReceivers,
  receiveAgentPush,
  recoverPushes,
  resendPush,
  setPushConfig,
} from '..';
import { pushReceiverSchema, recoveryResultSchema, resendResultSchema } from '../schema';

/** Returns the dialect of this caller's push notifications. Callers of 0.1 receive tasks, as in 0.3. */
export function pushDialectOf({ dialect: { key } }: Pick<RpcCall, 'dialect'>): PushDialect {
  return key === '1.0' || key === '1.1' ? key : '0.3';
}

type PushRequest = Extract<CoreRequest, { op: `push-${string}` }>;

/** Handles a request for the push notification configurations of a task, in any binding. */
export async function handlePushConfig(call: RpcCall, agent: AgentRecord, request: PushRequest): Promise<JsonValue> {
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

export const getDeadLetters = endpoint({
  method: 'GET',
  path: '/api/push/dead-letters',
  auth: { scope: 'agents:read' },
  response: listOf(deadLetterSchema),
  docs: { tag: 'Console', summary: 'List failed deliveries' },
  handle: ({ ctx }) => listDeadLetters({ ctx }),
});

export const postAgentPush = endpoint({
  method: 'POST',
  path: '/api/push/:task',
  docs: {
    tag: 'Agents',
    summary: 'Notify Parley that a task has changed',
    description:
      'Authenticated by the secret that was sent with the task, in `X-A2A-Notification-Token`. Parley reads the task from the agent.',
  },
  serve: async (request, { params }) => {
    const requestId = requestIdOf(request);
    try {
      const secret = request.headers.get('x-a2a-notification-token') ?? bearerOf(request) ?? '';
      const input = { taskId: params.task ?? '', secret, readBody: () => readJson(request) };
      await receiveAgentPush({ ctx: { now: new Date(), requestId }, input });
      return respond(204, null, { 'cache-control': 'no-store', 'x-request-id': requestId });
    } catch (error) {
      return problemOf(error, requestId);
    }
  },
});

export const getPushReceivers = endpoint({
  method: 'GET',
  path: '/api/push/receivers',
  auth: { scope: 'agents:read' },
  response: listOf(pushReceiverSchema),
  docs: {
    tag: 'Account',
    summary: 'List your webhooks',
    description: 'The latest 200, including webhooks set by agents that act for you.',
  },
  handle: ({ ctx }) => listPushReceivers({ ctx }),
});

export const removePushReceiver = endpoint({
  method: 'DELETE',
  path: '/api/push/receivers/:id',
  auth: { scope: 'agents:write' },
  errors: ['not_found'],
  docs: { tag: 'Account', summary: 'Delete a webhook' },
  handle: async ({ ctx, params: { id = '' } }) => {
    await deletePushReceiver({ ctx, input: { id } });
    return undefined;
  },
});

export const getPushes = endpoint({
  method: 'GET',
  path: '/api/push/deliveries',
  auth: { scope: 'agents:read' },
  response: pushOverviewSchema,
  docs: { tag: 'Console', summary: 'List your webhooks and their failed deliveries' },
  handle: getPushOverview,
});

export const postPushResend = endpoint({
  method: 'POST',
  path: '/api/push/dead-letters/:id/resend',
  auth: { scope: 'agents:write' },
  response: resendResultSchema,
  errors: ['conflict'],
  docs: { tag: 'Console', summary: 'Resend a failed delivery' },
  handle: ({ ctx, params: { id = '' } }) => resendPush({ ctx, input: { id } }),
});

export const postPushRecovery = endpoint({
  method: 'POST',
  path: '/api/push/dead-letters/recover',
  auth: { scope: 'agents:write' },
  body: recoveryInputSchema,
  response: recoveryResultSchema,
  docs: { tag: 'Console', summary: 'Resend all failed deliveries of a time range' },
  handle: ({ ctx, input }) => recoverPushes({ ctx, input: { from: new Date(input.from), to: new Date(input.to) } }),
});
