import type { JsonObject } from '../../../json';
import type { CallableVersion } from '../../core/card';
import type { Message } from '../../core/model';
import type { PushTarget } from '../../core/push';
import { writeMetadata } from '../v01/encode';
import { variants } from '../v01/variants';
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
      /** What the agent's card says it answers with: what 0.3 is told to be accepted when the caller says nothing. */
      outputModes?: string[];
      metadata?: JsonObject;
      push?: PushTarget;
      /** The id that the agent gives a task it has none for: in 0.1 the client chooses it. */
      ownTaskId?: string;
      /** The id for a context that the agent has none for, where the client chooses it: in 0.1 and as Web42 has it. */
      ownContextId?: string;
    }
  | { op: 'get' | 'cancel' | 'subscribe'; taskId: string; metadata?: JsonObject; alternate?: boolean }
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
  const usesAlternate = version === '0.1' && request.op === 'subscribe' && request.alternate;
  const method = usesAlternate ? 'task/resubscribe' : methods[version][request.op];
  return { jsonrpc: '2.0', id: envelopeId, method, params };
}

/** A2A 0.1 as its specification has it. */
const plain = variants['0.1'];

function toV01Message({ role, parts, metadata }: Message): JsonObject {
  return { role, parts: parts.map((part) => writePart(plain, part)), metadata };
}

function v01ParamsOf(id: string, request: AgentRequest): JsonObject {
  if (request.op === 'extended-card') return {};
  const variant = request.textMetadata ? variants.orloj : plain;
  const metadata = request.metadata && writeMetadata(variant, request.metadata);
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

type SendRequest = AgentRequest & { op: 'send' | 'stream' };

function configurationOf(version: '0.3' | '1.0', request: SendRequest): JsonObject | undefined {
  const { op, acceptedOutputModes, push } = request;
  if (version === '1.0') {
    if (op === 'stream' && !acceptedOutputModes && !push) return undefined;
    const returnImmediately = op === 'send' ? true : undefined;
    return { acceptedOutputModes, returnImmediately, taskPushNotificationConfig: push && { ...push } };
  }
  const blocking = op === 'send' ? false : undefined;
  return {
    acceptedOutputModes: outputModesOf(request),
    blocking,
    pushNotificationConfig: push && toV03PushTarget(push),
  };
}

/** `acceptedOutputModes` in 0.2 and 0.3, where the schema requires it: all that the agent's card names, unless the caller chose. */
export function outputModesOf({ acceptedOutputModes, outputModes }: SendRequest): string[] {
  if (acceptedOutputModes?.length) return acceptedOutputModes;
  return outputModes?.length ? outputModes : ['text/plain'];
}

/** A PushNotificationConfig of 0.2 and 0.3, whose authentication has a list of schemes. */
export function toV03PushTarget({ authentication, ...target }: PushTarget): JsonObject {
  if (!authentication) return { ...target };
  const { scheme, credentials } = authentication;
  return { ...target, authentication: { schemes: [scheme], credentials } };
}
