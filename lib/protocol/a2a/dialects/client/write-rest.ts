import type { JsonObject } from '../../../json';
import type { Message } from '../../core/model';
import { toRestPart } from '../v03/rest-encode';
import { toV10Message } from '../v10/encode';
import { type AgentRequest, outputModesOf, toV03PushTarget } from './write-request';

/** A request in the HTTP+JSON binding; `path` follows the interface's URL. */
export interface RestRequest {
  method: 'GET' | 'POST';
  path: string;
  body?: JsonObject;
}

/** The HTTP+JSON request for an agent: A2A 1.0 §11.3, and 0.3 under `/v1/`, whose bodies are ProtoJSON of its own model. */
export function toAgentRestRequest(version: '0.3' | '1.0', request: AgentRequest): RestRequest {
  const tenant = version === '1.0' && request.tenant ? `/${encodeURIComponent(request.tenant)}` : '';
  const root = version === '1.0' ? tenant : '/v1';
  if (request.op === 'extended-card') {
    return { method: 'GET', path: version === '1.0' ? `${root}/extendedAgentCard` : `${root}/card` };
  }
  if (!('taskId' in request)) {
    const verb = request.op === 'stream' ? 'stream' : 'send';
    return { method: 'POST', path: `${root}/message:${verb}`, body: sendBody(version, request) };
  }
  const path = `${root}/tasks/${encodeURIComponent(request.taskId)}`;
  if (request.op === 'get') return { method: 'GET', path };
  // The proto says GET and the text of 1.0 says POST.
  if (request.op === 'subscribe' && !request.alternate) return { method: 'GET', path: `${path}:subscribe` };
  return { method: 'POST', path: `${path}:${request.op}`, body: { metadata: request.metadata } };
}

function sendBody(version: '0.3' | '1.0', request: AgentRequest & { op: 'send' | 'stream' }): JsonObject {
  const { op, message, metadata, push } = request;
  const acceptedOutputModes = version === '1.0' ? request.acceptedOutputModes : outputModesOf(request);
  // 0.3 in Protobuf has `blocking` false by default, so that it need not be asked for.
  const waiting: JsonObject = op === 'send' && version === '1.0' ? { returnImmediately: true } : {};
  const configuration: JsonObject = { ...(acceptedOutputModes && { acceptedOutputModes }), ...waiting };
  if (push && version === '1.0') configuration.taskPushNotificationConfig = { ...push };
  if (push && version === '0.3') configuration.pushNotification = toV03PushTarget(push);
  return {
    message: version === '1.0' ? toV10Message(message) : toProto03Message(message),
    ...(Object.keys(configuration).length > 0 && { configuration }),
    ...(metadata && { metadata }),
  };
}

function toProto03Message({ role, parts, messageId, contextId, taskId, metadata, extensions }: Message): JsonObject {
  const content = parts.map(toRestPart);
  return {
    messageId,
    contextId,
    taskId,
    role: role === 'user' ? 'ROLE_USER' : 'ROLE_AGENT',
    content,
    metadata,
    extensions,
  };
}
