import type { JsonObject, JsonValue } from '../../../json';
import { type CallableVersion, isCallableV1 } from '../../core/card';
import type { Message, PushTarget } from '../../core/model';
import { toV01Message, toV01Metadata } from '../v01/encode';
import { variants } from '../v01/variants';
import { toV03Message, toV03ProtoMessage } from '../v03/encode';
import { toV10Message } from '../v10/encode';
import { toV11Message } from '../v11/encode';

/**
 * A request to an agent. `tenant` comes from the card (1.0). `textMetadata`: the agent accepts only strings in metadata
 * (Orloj). `alternate`: POST instead of GET to subscribe (1.0 §11.3.2), Society AI's `task/resubscribe`, or GET for the
 * extended card of 0.2.
 */
export type AgentRequest = { tenant?: string; textMetadata?: boolean } & (
  | {
      op: 'send' | 'stream';
      message: Message;
      acceptedOutputModes?: string[];
      /** The output modes of the agent's card: the default of `acceptedOutputModes` in 0.3. */
      outputModes?: string[];
      metadata?: JsonObject;
      push?: PushTarget;
      /** The id for a new task in 0.1, where the client chooses it. */
      ownTaskId?: string;
      /** The id for a new context where the client chooses it: in 0.1 and on Web42. */
      ownContextId?: string;
      /** Earlier messages of the task in A2A 1.0, for servers that do not remember it (MCP). */
      history?: JsonValue[];
    }
  | { op: 'get' | 'cancel' | 'subscribe'; taskId: string; metadata?: JsonObject; alternate?: boolean }
  | { op: 'extended-card'; alternate?: boolean }
);

const methods: Record<Exclude<CallableVersion, '1.1'>, Record<AgentRequest['op'], string>> = {
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
 * Returns the JSON-RPC request for an agent. A non-streaming send requests an immediate response, so that no connection
 * waits; 0.1 does not support this. `id` is that of the envelope; in 0.1, the task id is used for both, as Society
 * requires.
 */
export function toAgentRequest(version: CallableVersion, id: string, request: AgentRequest): JsonObject {
  const params = version === '0.1' ? v01ParamsOf(id, request) : paramsOf(version, request);
  const envelopeId = version === '0.1' && typeof params.id === 'string' ? params.id : id;
  const usesAlternate = version === '0.1' && request.op === 'subscribe' && request.alternate;
  const method = usesAlternate ? 'task/resubscribe' : methods[version === '1.1' ? '1.0' : version][request.op];
  return { jsonrpc: '2.0', id: envelopeId, method, params };
}

const plain = variants['0.1'];

function v01ParamsOf(id: string, request: AgentRequest): JsonObject {
  if (request.op === 'extended-card') return {};
  const variant = request.textMetadata ? variants.orloj : plain;
  const metadata = request.metadata && toV01Metadata(variant, request.metadata);
  if ('taskId' in request) return { id: request.taskId, metadata };
  const { message, acceptedOutputModes, ownTaskId, ownContextId, push } = request;
  const sessionId = message.contextId ?? ownContextId;
  return {
    id: message.taskId ?? ownTaskId ?? id,
    ...(sessionId !== undefined && { sessionId }),
    message: toV01Message(plain, message),
    ...(acceptedOutputModes && { acceptedOutputModes }),
    ...(push && { pushNotification: { url: push.url, token: push.token } }),
    ...(metadata && { metadata }),
  };
}

/** Returns the params. Undefined members are not serialized. */
function paramsOf(version: LaterVersion, request: AgentRequest): JsonObject {
  const { tenant } = request;
  if ('taskId' in request) return { tenant, id: request.taskId, metadata: request.metadata };
  if (request.op === 'extended-card') return { tenant };
  const { metadata } = request;
  const message = version === '0.3' ? toV03Message(request.message) : toVersion1Message(version, request.message);
  return { tenant, message, configuration: configurationOf(version, request), metadata };
}

type LaterVersion = Exclude<CallableVersion, '0.1'>;

function toVersion1Message(version: '1.0' | '1.1', message: Message): JsonObject {
  return version === '1.1' ? toV11Message(message) : toV10Message(message);
}

type SendRequest = AgentRequest & { op: 'send' | 'stream' };

function configurationOf(version: LaterVersion, request: SendRequest): JsonObject | undefined {
  const { op, acceptedOutputModes, push } = request;
  if (isCallableV1(version)) {
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

/**
 * Returns the `acceptedOutputModes` of 0.2 and 0.3, where it is required: those of the caller, otherwise the output
 * modes of the card.
 */
function outputModesOf({ acceptedOutputModes, outputModes }: SendRequest): string[] {
  if (acceptedOutputModes?.length) return acceptedOutputModes;
  return outputModes?.length ? outputModes : ['text/plain'];
}

/** Returns a PushNotificationConfig of 0.2 and 0.3, whose authentication has a list of schemes. */
function toV03PushTarget({ authentication, ...target }: PushTarget): JsonObject {
  if (!authentication) return { ...target };
  const { scheme, credentials } = authentication;
  return { ...target, authentication: { schemes: [scheme], credentials } };
}

/** A request in the HTTP+JSON binding; `path` is relative to the interface's URL. */
export interface AgentRestRequest {
  method: 'GET' | 'POST';
  path: string;
  body?: JsonObject;
}

/** Returns the HTTP+JSON request for an agent: A2A 1.x §11.3, or 0.3 under `/v1/` with ProtoJSON bodies. */
export function toAgentRestRequest(version: LaterVersion, request: AgentRequest): AgentRestRequest {
  const tenant = request.tenant ? `/${encodeURIComponent(request.tenant)}` : '';
  const root = isCallableV1(version) ? tenant : '/v1';
  if (request.op === 'extended-card') {
    return { method: 'GET', path: isCallableV1(version) ? `${root}/extendedAgentCard` : `${root}/card` };
  }
  if (!('taskId' in request)) {
    const verb = request.op === 'stream' ? 'stream' : 'send';
    return { method: 'POST', path: `${root}/message:${verb}`, body: sendBody(version, request) };
  }
  const path = `${root}/tasks/${encodeURIComponent(request.taskId)}`;
  if (request.op === 'get') return { method: 'GET', path };
  // The proto specifies GET, the text of 1.0 POST.
  if (request.op === 'subscribe' && !request.alternate) return { method: 'GET', path: `${path}:subscribe` };
  return { method: 'POST', path: `${path}:${request.op}`, body: { metadata: request.metadata } };
}

function sendBody(version: LaterVersion, request: SendRequest): JsonObject {
  const { op, message, metadata, push } = request;
  const acceptedOutputModes = isCallableV1(version) ? request.acceptedOutputModes : outputModesOf(request);
  // In 0.3's proto `blocking` is false by default.
  const waiting: JsonObject = op === 'send' && isCallableV1(version) ? { returnImmediately: true } : {};
  const configuration: JsonObject = { ...(acceptedOutputModes && { acceptedOutputModes }), ...waiting };
  if (push && isCallableV1(version)) configuration.taskPushNotificationConfig = { ...push };
  if (push && version === '0.3') configuration.pushNotification = toV03PushTarget(push);
  return {
    // 0.3's proto has no referenceTaskIds.
    message: isCallableV1(version)
      ? toVersion1Message(version, message)
      : toV03ProtoMessage({ ...message, referenceTaskIds: undefined }),
    ...(Object.keys(configuration).length > 0 && { configuration }),
    ...(metadata && { metadata }),
  };
}
