import type { z } from 'zod';
import type { JsonObject } from '../../../json';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '../../../limits';
import { ProtocolError } from '../../../protocol-error';
import type { CoreRequest, Message, Part, PushTarget } from '../../core/model';
import type { Methods } from '../dialect';
import { cancelReasonOf, parseParams } from '../params';
import { mediaTypeIn, unwrapData } from '../part-metadata';
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

/** Methods of A2A 0.2 and 0.3. */
export const v03Methods: Methods = {
  'message/send': (params) => toCoreSend(params, false),
  'message/stream': (params) => toCoreSend(params, true),
  'tasks/get': (params) => {
    const { id, historyLength } = parseParams(taskQuerySchema, params);
    return { op: 'get', taskId: id, historyLength: historyLength ?? undefined };
  },
  'tasks/list': (params) => toListRequest(parseParams(listSchema, params)),
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
    pageSize: MAX_PAGE_SIZE,
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

/**
 * Reads a push target. Without an id, A2A 0.3 uses the task's id, which is not known yet during a send. Also used for
 * 0.1.
 */
export function toPushTarget({ authentication, id, url, token }: z.infer<typeof pushTargetSchema>): PushTarget {
  const scheme = authentication?.schemes[0];
  const target: PushTarget = { url, token: token || undefined };
  // Absent rather than undefined, because spreading undefined would override the default id.
  if (id) target.id = id;
  if (scheme !== undefined) target.authentication = { scheme, credentials: authentication?.credentials || undefined };
  return target;
}

/** Reads the params of a list. Also used for 0.1. */
export function toListRequest(given: z.infer<typeof listSchema>): CoreRequest {
  const state = given.status ? stateFromText(given.status) : undefined;
  if (given.status && !state)
    throw new ProtocolError('invalid_params', `status: "${given.status}" is not a task state`);
  return {
    op: 'list',
    filter: {
      contextId: given.contextId || undefined,
      state,
      pageSize: given.pageSize ?? DEFAULT_PAGE_SIZE,
      pageToken: given.pageToken || undefined,
      historyLength: given.historyLength ?? undefined,
      includeArtifacts: given.includeArtifacts ?? false,
    },
  };
}

/**
 * Members are listed individually, here and below, because rest copies have varying hidden classes, which slow down all
 * later code.
 */
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
  if (part.kind === 'text') return { kind: 'text', text: part.text, mediaType: mediaTypeIn(metadata), metadata };
  if (part.kind === 'data') return unwrapData(part.data, metadata);
  const { uri, bytes, name, mimeType } = part.file;
  const common = { filename: name || undefined, mediaType: mimeType || undefined, metadata };
  return uri ? { kind: 'uri', uri, ...common } : { kind: 'bytes', bytes: bytes ?? '', ...common };
}
