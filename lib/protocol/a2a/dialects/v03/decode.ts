import type { z } from 'zod';
import { ProtocolFault } from '../../../faults';
import type { JsonObject } from '../../../json';
import type { Message, Part } from '../../core/model';
import type { PushTarget } from '../../core/push';
import type { CoreRequest } from '../../core/requests';
import { parseParams } from '../parse';
import { reasonOf } from '../reason';
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
    return { op: 'get', taskId: id, historyLength };
  },
  'tasks/list': toCoreList,
  'tasks/cancel': (params) => {
    const { id, reason, metadata } = parseParams(cancelSchema, params);
    return { op: 'cancel', taskId: id, reason: reasonOf(reason, metadata), metadata };
  },
  'tasks/resubscribe': (params) => ({ op: 'subscribe', taskId: parseParams(taskIdSchema, params).id }),
  'tasks/pushNotificationConfig/set': (params) => {
    const { taskId, pushNotificationConfig } = parseParams(pushSetSchema, params);
    return { op: 'push-set', taskId, target: { id: taskId, ...toTarget(pushNotificationConfig) } };
  },
  'tasks/pushNotificationConfig/get': (params) => {
    const { id, pushNotificationConfigId } = parseParams(pushGetSchema, params);
    return { op: 'push-get', taskId: id, configId: pushNotificationConfigId ?? id };
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
      acceptedOutputModes: configuration?.acceptedOutputModes,
      historyLength: configuration?.historyLength,
      returnImmediately: configuration?.blocking === false,
      push: configuration?.pushNotificationConfig && toTarget(configuration.pushNotificationConfig),
    },
    metadata,
  };
}

/** Its id without one is its task's, as A2A 0.3 servers have it; a send does not know the task yet. 0.1 writes the same. */
export function toTarget({ authentication, id, ...target }: z.infer<typeof pushTargetSchema>): PushTarget {
  const scheme = authentication?.schemes[0];
  const named = id === undefined ? target : { ...target, id };
  return scheme === undefined
    ? named
    : { ...named, authentication: { scheme, credentials: authentication?.credentials } };
}

function toCoreList(params: JsonObject): CoreRequest {
  const { status, pageSize, includeArtifacts, ...filter } = parseParams(listSchema, params);
  const state = status === undefined ? undefined : stateFromText(status);
  if (status !== undefined && !state)
    throw new ProtocolFault('invalid_params', `status: "${status}" is not a task state`);
  return {
    op: 'list',
    filter: { ...filter, state, pageSize: pageSize ?? 50, includeArtifacts: includeArtifacts ?? false },
  };
}

/** Member by member, here and below: what is copied as a rest has another shape each time, and all that comes after is slower. */
function toCoreMessage(message: z.infer<typeof messageSchema>): Message {
  const { messageId, role, contextId, taskId, referenceTaskIds, extensions, metadata } = message;
  const parts = message.parts.map(toCorePart);
  return { messageId, role, parts, contextId, taskId, referenceTaskIds, extensions, metadata };
}

function toCorePart(part: z.infer<typeof partSchema>): Part {
  const { metadata } = part;
  if (part.kind === 'text') return { kind: 'text', text: part.text, metadata };
  if (part.kind === 'data') return { kind: 'data', data: part.data, metadata };
  const common = { filename: part.file.name, mediaType: part.file.mimeType, metadata };
  return part.file.bytes !== undefined
    ? { kind: 'bytes', bytes: part.file.bytes, ...common }
    : { kind: 'uri', uri: part.file.uri ?? '', ...common };
}
