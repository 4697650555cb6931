import type { JsonObject } from '../../../json';
import { ProtocolError } from '../../../protocol-error';
import type { CoreRequest } from '../../core/model';
import type { Methods } from '../dialect';
import { parseParams } from '../params';
import { toListRequest, toPushTarget } from '../v03/decode';
import { cancelSchema, taskQuerySchema } from '../v03/schema';
import { listSchema, pushSetSchema, sendSchema } from './schema';
import type { Variant } from './variants';

/** A task of 0.1 has one push configuration, without an id. */
const pushId = 'push';

/** Methods of A2A 0.1 and its variants; `task/resubscribe` is Society AI's spelling. */
export function v01MethodsOf(variant: Variant): Methods {
  return {
    'tasks/send': (params) => toCoreSend(variant, params, false),
    'tasks/sendSubscribe': (params) => toCoreSend(variant, params, true),
    'tasks/get': (params) => {
      const { id, historyLength } = parseParams(taskQuerySchema, params);
      return { op: 'get', taskId: id, historyLength: historyLength ?? undefined };
    },
    'tasks/list': toCoreList,
    'tasks/cancel': (params) => {
      const { id, reason, metadata } = parseParams(cancelSchema, params);
      return { op: 'cancel', taskId: id, reason: reason || undefined, metadata: metadata ?? undefined };
    },
    'tasks/pushNotification/set': (params) => {
      const { id, pushNotificationConfig } = parseParams(pushSetSchema, params);
      return { op: 'push-set', taskId: id, target: { id: pushId, ...toPushTarget(pushNotificationConfig) } };
    },
    'tasks/pushNotification/get': (params) => ({
      op: 'push-get',
      taskId: parseParams(taskQuerySchema, params).id,
      configId: pushId,
    }),
    'tasks/resubscribe': toCoreSubscribe,
    'task/resubscribe': toCoreSubscribe,
  };
}

function toCoreSubscribe(params: JsonObject): CoreRequest {
  return { op: 'subscribe', taskId: parseParams(taskQuerySchema, params).id };
}

function toCoreSend(variant: Variant, params: JsonObject, streaming: boolean): CoreRequest {
  const { id, sessionId, message, pushNotification, metadata, ...options } = parseParams(sendSchema, params);
  if (!id && !variant.makesIds) {
    const violation = { field: 'id', description: 'expected a task ID that you choose' };
    throw new ProtocolError('invalid_params', `${violation.field}: ${violation.description}`, [violation]);
  }
  if (variant.metadata === 'strings') requireStrings(metadata ?? {});
  return {
    op: 'send-client-task',
    streaming,
    clientTaskId: id || undefined,
    message: { parts: message.parts, contextId: sessionId || undefined, metadata: message.metadata ?? undefined },
    configuration: {
      acceptedOutputModes: options.acceptedOutputModes?.map((mode) => (mode === 'text' ? 'text/plain' : mode)),
      historyLength: options.historyLength ?? undefined,
      returnImmediately: false,
      push: pushNotification ? { id: pushId, ...toPushTarget(pushNotification) } : undefined,
    },
    metadata: metadata ?? undefined,
  };
}

/** Requires that all members of the metadata except `executor` are strings, as in Orloj. */
function requireStrings(metadata: JsonObject): void {
  const violations = Object.entries(metadata)
    .filter(([name, value]) => typeof value !== 'string' && name !== 'executor')
    .map(([name]) => ({ field: `metadata.${name}`, description: 'expected a string' }));
  const [first] = violations;
  if (first) throw new ProtocolError('invalid_params', `${first.field}: ${first.description}`, violations);
}

function toCoreList(params: JsonObject): CoreRequest {
  const { sessionId, ...given } = parseParams(listSchema, params);
  const { contextId, includeArtifacts } = given;
  return toListRequest({ ...given, contextId: sessionId || contextId, includeArtifacts: includeArtifacts ?? true });
}
