import type { JsonObject } from '../../../json';
import type { CallableVersion } from '../../core/card';
import type { Message } from '../../core/model';
import type { PushTarget } from '../../core/push';
import { writeMetadata } from '../v01/encode';
import { flavours } from '../v01/flavours';
import { writePart } from '../v01/write-part';
import { toV03Message } from '../v03/encode';
import { toV10Message } from '../v10/encode';

/**
 * What is asked of an agent. `tenant` is echoed as its card says (1.0); `textMetadata` tells of an agent that knows texts alone as
 * metadata (Orloj); `otherwise` asks in the other way that documents give: POST instead of GET to subscribe (1.0 §11.3.2),
 * Society AI's `task/resubscribe`, and GET for the extended card of 0.2.
 */
export type AgentRequest = { tenant?: string; textMetadata?: boolean } & (
  | {
      op: 'send' | 'stream';
      message: Message;
      acceptedOutputModes?: string[];
      metadata?: JsonObject;
      push?: PushTarget;
      /** The id that the agent gives a task it has none for: in 0.1 the client chooses it. */
      ownTaskId?: string;
      /** The id for a context that the agent has none for, where the client chooses it: in 0.1 and as Web42 has it. */
      ownContextId?: string;
    }
  | { op: 'get' | 'cancel' | 'subscribe'; taskId: string; metadata?: JsonObject; otherwise?: boolean }
  | { op: 'extended-card'; otherwise?: boolean }
);

const methods: Record<CallableVersion, Record<AgentRequest['op'], string>> = {
  '0.1': {
    send: 'tasks/send',
    stream: 'tasks/sendSubscribe',
    get: 'tasks/get',
    cancel: 'tasks/cancel',
    subscribe: 'tasks/resubscribe',
    'extended-card': 'agent/getAuthenticatedExtendedCard',
  },
  '0.3': {
    send: 'message/send',
    stream: 'message/stream',
    get: 'tasks/get',
    cancel: 'tasks/cancel',
    subscribe: 'tasks/resubscribe',
    'extended-card': 'agent/getAuthenticatedExtendedCard',
  },
  '1.0': {
    send: 'SendMessage',
    stream: 'SendStreamingMessage',
    get: 'GetTask',
    cancel: 'CancelTask',
    subscribe: 'SubscribeToTask',
    'extended-card': 'GetExtendedAgentCard',
  },
};

/**
 * The JSON-RPC request for an agent. A plain send asks for the task at once, so that no connection waits for the work; in
 * 0.1 that cannot be asked for. `id` is the envelope's, but in 0.1 the task's is used for both (Society's advice).
 */
export function toAgentRequest(version: CallableVersion, id: string, request: AgentRequest): JsonObject {
  const params = version === '0.1' ? v01ParamsOf(id, request) : paramsOf(version, request);
  const envelopeId = version === '0.1' && typeof params.id === 'string' ? params.id : id;
  const other = version === '0.1' && request.op === 'subscribe' && request.otherwise;
  const method = other ? 'task/resubscribe' : methods[version][request.op];
  return { jsonrpc: '2.0', id: envelopeId, method, params };
}

/** A2A 0.1 as its specification has it. */
const plain = flavours['0.1'];

function toV01Message({ role, parts, metadata }: Message): JsonObject {
  return { role, parts: parts.map((part) => writePart(plain, part)), metadata };
}

function v01ParamsOf(id: string, request: AgentRequest): JsonObject {
  if (request.op === 'extended-card') return {};
  const flavour = request.textMetadata ? flavours.orloj : plain;
  const metadata = request.metadata && writeMetadata(flavour, request.metadata);
  if ('taskId' in request) return { id: request.taskId, metadata };
  const { message, acceptedOutputModes, ownTaskId, ownContextId, push } = request;
  const sessionId = message.contextId ?? ownContextId;
  return {
    id: message.taskId ?? ownTaskId ?? id,
    ...(sessionId !== undefined && { sessionId }),
    message: toV01Message(message),
    ...(acceptedOutputModes && { acceptedOutputModes }),
    ...(push && { pushNotification: { url: push.url, token: push.token } }),
    ...(metadata && { metadata }),
  };
}

/** What is undefined is not written. */
function paramsOf(version: '0.3' | '1.0', request: AgentRequest): JsonObject {
  const { tenant } = request;
  if ('taskId' in request) return { tenant, id: request.taskId, metadata: request.metadata };
  if (request.op === 'extended-card') return { tenant };
  const { metadata } = request;
  const message = version === '1.0' ? toV10Message(request.message) : toV03Message(request.message);
  return { tenant, message, configuration: configurationOf(version, request), metadata };
}

function configurationOf(
  version: '0.3' | '1.0',
  { op, acceptedOutputModes, push }: AgentRequest & { op: 'send' | 'stream' },
): JsonObject | undefined {
  if (op === 'stream' && !acceptedOutputModes && !push) return undefined;
  const target = push && { ...push };
  if (version === '1.0') {
    const returnImmediately = op === 'send' ? true : undefined;
    return { acceptedOutputModes, returnImmediately, taskPushNotificationConfig: target };
  }
  const blocking = op === 'send' ? false : undefined;
  return { acceptedOutputModes, blocking, pushNotificationConfig: target };
}
