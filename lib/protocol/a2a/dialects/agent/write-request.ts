import type { JsonObject } from '../../../json';
import type { Message } from '../../core/model';
import { toV03Message } from '../v03/encode';
import { toV10Message } from '../v10/encode';

/** Versions of A2A in which agents are called. */
export type AgentVersion = '0.3' | '1.0';

/** What is asked of an agent; `tenant` is echoed as its card says (1.0). */
export type AgentRequest = { tenant?: string } & (
  | { op: 'send' | 'stream'; message: Message; acceptedOutputModes?: string[]; metadata?: JsonObject }
  | { op: 'get' | 'cancel' | 'subscribe'; taskId: string }
);

const methods: Record<AgentVersion, Record<AgentRequest['op'], string>> = {
  '0.3': {
    send: 'message/send',
    stream: 'message/stream',
    get: 'tasks/get',
    cancel: 'tasks/cancel',
    subscribe: 'tasks/resubscribe',
  },
  '1.0': {
    send: 'SendMessage',
    stream: 'SendStreamingMessage',
    get: 'GetTask',
    cancel: 'CancelTask',
    subscribe: 'SubscribeToTask',
  },
};

/** The JSON-RPC request for an agent. A plain send asks for the task at once, so that no connection waits for the work. */
export function toAgentRequest(version: AgentVersion, id: string, request: AgentRequest): JsonObject {
  return {
    jsonrpc: '2.0',
    id,
    method: methods[version][request.op],
    params: { tenant: request.tenant, ...paramsOf(version, request) },
  };
}

function paramsOf(version: AgentVersion, request: AgentRequest): JsonObject {
  if ('taskId' in request) return { id: request.taskId };
  const { message, acceptedOutputModes, metadata } = request;
  const waiting: JsonObject =
    request.op === 'stream' ? {} : version === '1.0' ? { returnImmediately: true } : { blocking: false };
  const configuration: JsonObject = { ...(acceptedOutputModes ? { acceptedOutputModes } : {}), ...waiting };
  return {
    message: version === '1.0' ? toV10Message(message) : toV03Message(message),
    ...(Object.keys(configuration).length > 0 ? { configuration } : {}),
    ...(metadata ? { metadata } : {}),
  };
}
