import type { z } from 'zod';
import type { JsonObject } from '../../../json';
import { ProtocolError } from '../../../protocol-error';
import type { Message, Part } from '../../core/model';
import type { PushTarget } from '../../core/push';
import type { CoreRequest } from '../../core/requests';
import { cancelReasonOf } from '../cancel-reason';
import { parseParams } from '../parse-params';
import { stateFromText } from '../states';
import {
  cancelSchema,
  listSchema,
  type messageSchema,
  type partSchema,
  pushDeleteSchema,
  pushGetSchema,
  pushListSchema,
  pushSetSchema,
  type pushTargetSchema,
  sendSchema,
  taskIdSchema,
  taskQuerySchema,
} from './schema';

type Decoder = (params: JsonObject) => CoreRequest;

/** Methods of A2A 0.2 and 0.3; one that is absent here does not exist in the dialect. */
export const v03Methods: Record<string, Decoder> = {
  'message/send': (params) => toCoreSend(params, false),
  'message/stream': (params) => toCoreSend(params, true),
  'tasks/get': (params) => {
    const { id, historyLength } = parseParams(taskQuerySchema, params);
    return { op: 'get', taskId: id, historyLength: historyLength ?? undefined };
  },
  'tasks/list': toCoreList,
  'tasks/cancel': (params) => {
    const { id, reason, metadata } = parseParams(cancelSchema, params);
    return { op: 'cancel', taskId: id, reason: cancelReasonOf(reason, metadata), metadata: metadata ?? undefined };
  },
  'tasks/resubscribe': (params) => ({ op: 'subscribe', taskId: parseParams(taskIdSchema, params).id }),
  'tasks/pushNotificationConfig/set': (params) => {
    const { taskId, pushNotificationConfig } = parseParams(pushSetSchema, params);
    return { op: 'push-set', taskId, target: { id: taskId, ...toPushTarget(pushNotificationConfig) } };
  },
  'tasks/pushNotificationConfig/get': (params) => {
    const { id, pushNotificationConfigId } = parseParams(pushGetSchema, params);
    return { op: 'push-get', taskId: id, configId: pushNotificationConfigId || id };
  },
  'tasks/pushNotificationConfig/list': (params) => ({
    op: 'push-list',
    taskId: parseParams(pushListSchema, params).id,
    pageSize: 100,
  }),
  'tasks/pushNotificationConfig/delete': (params) => {
    const { id, pushNotificationConfigId } = parseParams(pushDeleteSchema, params);
    return { op: 'push-delete', taskId: id, configId: pushNotificationConfigId };
  },
  'agent/getAuthenticatedExtendedCard': () => ({ op: 'extended-card' }),
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
      returnImmediately: configuration?.blocking === false,
      push: configuration?.pushNotificationConfig ? toPushTarget(configuration.pushNotificationConfig) : undefined,
    },
    metadata: metadata ?? undefined,
  };
}

/** Its id without one is its task's, as A2A 0.3 servers have it; a send does not know the task yet. 0.1 writes the same. */
export function toPushTarget({ authentication, id, url, token }: z.infer<typeof pushTargetSchema>): PushTarget {
  const scheme = authentication?.schemes[0];
  const target: PushTarget = { url, token: token || undefined };
  // Absent and not undefined: it is written over the id that a caller gets who names none.
  if (id) target.id = id;
  if (scheme !== undefined) target.authentication = { scheme, credentials: authentication?.credentials || undefined };
  return target;
}

function toCoreList(params: JsonObject): CoreRequest {
  const given = parseParams(listSchema, params);
  const state = given.status ? stateFromText(given.status) : undefined;
  if (given.status && !state)
    throw new ProtocolError('invalid_params', `status: "${given.status}" is not a task state`);
  return {
    op: 'list',
    filter: {
      contextId: given.contextId || undefined,
      state,
      pageSize: given.pageSize ?? 50,
      pageToken: given.pageToken || undefined,
      historyLength: given.historyLength ?? undefined,
      includeArtifacts: given.includeArtifacts ?? false,
    },
  };
}

/** Member by member, here and below: what is copied as a rest has another shape each time, and all that comes after is slower. */
function toCoreMessage(message: z.infer<typeof messageSchema>): Message {
  return {
    messageId: message.messageId,
    role: message.role,
    parts: message.parts.map(toCorePart),
    contextId: message.contextId || undefined,
    taskId: message.taskId || undefined,
    referenceTaskIds: message.referenceTaskIds ?? undefined,
    extensions: message.extensions ?? undefined,
    metadata: message.metadata ?? undefined,
  };
}

function toCorePart(part: z.infer<typeof partSchema>): Part {
  const metadata = part.metadata ?? undefined;
  if (part.kind === 'text') return { kind: 'text', text: part.text, metadata };
  if (part.kind === 'data') return { kind: 'data', data: part.data, metadata };
  const { uri, bytes, name, mimeType } = part.file;
  const common = { filename: name || undefined, mediaType: mimeType || undefined, metadata };
  return uri ? { kind: 'uri', uri, ...common } : { kind: 'bytes', bytes: bytes ?? '', ...common };
}
