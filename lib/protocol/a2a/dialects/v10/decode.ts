import type { z } from 'zod';
import type { JsonObject } from '../../../json';
import { DEFAULT_PAGE_SIZE } from '../../../limits';
import { ProtocolError } from '../../../protocol-error';
import type { CoreRequest, Message, Part, PushTarget } from '../../core/model';
import type { Methods } from '../dialect';
import { cancelReasonOf, parseParams } from '../params';
import { stateFromText } from '../states';
import {
  cancelSchema,
  getSchema,
  listSchema,
  type messageSchema,
  type partSchema,
  pushIdSchema,
  pushListSchema,
  pushSetSchema,
  type pushTargetSchema,
  sendSchema,
  taskIdSchema,
} from './schema';

/** Methods of A2A 1.0's JSON-RPC binding. */
export const v10Methods: Methods = {
  SendMessage: (params) => toCoreSend(params, false),
  SendStreamingMessage: (params) => toCoreSend(params, true),
  GetTask: (params) => {
    const { id, historyLength } = parseParams(getSchema, params);
    return { op: 'get', taskId: id, historyLength: historyLength ?? undefined };
  },
  ListTasks: toCoreList,
  CancelTask: (params) => {
    const { id, reason, metadata } = parseParams(cancelSchema, params);
    return { op: 'cancel', taskId: id, reason: cancelReasonOf(reason, metadata), metadata: metadata ?? undefined };
  },
  SubscribeToTask: (params) => ({ op: 'subscribe', taskId: parseParams(taskIdSchema, params).id }),
  CreateTaskPushNotificationConfig: (params) => {
    const { taskId, ...target } = parseParams(pushSetSchema, params);
    return { op: 'push-set', taskId, target: toPushTarget(target) };
  },
  GetTaskPushNotificationConfig: (params) => {
    const { taskId, id } = parseParams(pushIdSchema, params);
    return { op: 'push-get', taskId, configId: id };
  },
  ListTaskPushNotificationConfigs: (params) => {
    const { taskId, pageSize, pageToken } = parseParams(pushListSchema, params);
    return { op: 'push-list', taskId, pageSize: pageSize || DEFAULT_PAGE_SIZE, pageToken: pageToken || undefined };
  },
  DeleteTaskPushNotificationConfig: (params) => {
    const { taskId, id } = parseParams(pushIdSchema, params);
    return { op: 'push-delete', taskId, configId: id };
  },
  GetExtendedAgentCard: () => ({ op: 'extended-card' }),
};

function toCoreSend(params: JsonObject, streaming: boolean): CoreRequest {
  const { message, configuration, metadata } = parseParams(sendSchema, params);
  return {
    op: 'send',
    streaming,
    message: toCoreMessage(message),
    configuration: {
      acceptedOutputModes: configuration?.acceptedOutputModes ?? undefined,
      historyLength: configuration?.historyLength ?? undefined,
      returnImmediately: configuration?.returnImmediately ?? false,
      push: configuration?.taskPushNotificationConfig
        ? toPushTarget(configuration.taskPushNotificationConfig)
        : undefined,
    },
    metadata: metadata ?? undefined,
  };
}

function toPushTarget({ id, url, token, authentication }: z.infer<typeof pushTargetSchema>): PushTarget {
  return {
    id: id || undefined,
    url,
    token: token || undefined,
    authentication: authentication
      ? { scheme: authentication.scheme, credentials: authentication.credentials || undefined }
      : undefined,
  };
}

function toCoreList(params: JsonObject): CoreRequest {
  const given = parseParams(listSchema, params);
  const state = given.status && given.status !== 'TASK_STATE_UNSPECIFIED' ? stateFromText(given.status) : undefined;
  if (given.status && !state && given.status !== 'TASK_STATE_UNSPECIFIED') {
    throw new ProtocolError('invalid_params', `status: "${given.status}" is not a task state`);
  }
  const filter = {
    contextId: given.contextId || undefined,
    state,
    pageSize: given.pageSize ?? DEFAULT_PAGE_SIZE,
    pageToken: given.pageToken || undefined,
    historyLength: given.historyLength ?? undefined,
    statusTimestampAfter: given.statusTimestampAfter ?? undefined,
    includeArtifacts: given.includeArtifacts ?? false,
  };
  return { op: 'list', filter };
}

function toCoreMessage(message: z.infer<typeof messageSchema>): Message {
  return {
    messageId: message.messageId,
    role: 'user',
    parts: message.parts.map(toCorePart),
    contextId: message.contextId || undefined,
    taskId: message.taskId || undefined,
    referenceTaskIds: message.referenceTaskIds ?? undefined,
    extensions: message.extensions ?? undefined,
    metadata: message.metadata ?? undefined,
  };
}

function toCorePart(part: z.infer<typeof partSchema>): Part {
  const common = {
    filename: part.filename || undefined,
    mediaType: part.mediaType || undefined,
    metadata: part.metadata ?? undefined,
  };
  if (part.text != null) return { kind: 'text', text: part.text, ...common };
  if (part.raw != null) return { kind: 'bytes', bytes: part.raw, ...common };
  if (part.url != null) return { kind: 'uri', uri: part.url, ...common };
  return { kind: 'data', data: part.data ?? null, ...common };
}
