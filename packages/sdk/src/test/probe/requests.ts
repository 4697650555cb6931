import type { Message } from '../../wire.js';
import { toV03Message } from '../a2a-v03.js';
import type { JsonObject } from '../json-value.js';
import type { ProbeInterface } from './interfaces.js';

/** A call of one operation of A2A. */
export type Operation =
  | { op: 'send' | 'stream'; message: Message; returnsAtOnce?: boolean }
  | { op: 'get' | 'cancel'; taskId: string }
  | { op: 'set-push'; taskId: string; url: string }
  | { op: 'extended-card' };

/** A request of one operation, as it is sent. */
export interface EncodedOperation {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** The id of the JSON-RPC envelope; null over HTTP+JSON. */
  rpcId: string | null;
}

const methods = {
  '1.0': {
    send: 'SendMessage',
    stream: 'SendStreamingMessage',
    get: 'GetTask',
    cancel: 'CancelTask',
    'set-push': 'CreateTaskPushNotificationConfig',
    'extended-card': 'GetExtendedAgentCard',
  },
  '0.3': {
    send: 'message/send',
    stream: 'message/stream',
    get: 'tasks/get',
    cancel: 'tasks/cancel',
    'set-push': 'tasks/pushNotificationConfig/set',
    'extended-card': 'agent/getAuthenticatedExtendedCard',
  },
} as const;

/** Returns the request of an operation at an interface (A2A 1.0 sections 9 and 11, A2A 0.3 section 7). */
export function encodeOperation(target: ProbeInterface, operation: Operation): EncodedOperation {
  if (target.binding === 'HTTP+JSON') return encodeRest(target, operation);
  const rpcId = crypto.randomUUID();
  const method = methods[target.version][operation.op];
  const params = { ...tenantOf(target), ...paramsOf(target, operation) };
  return {
    ...jsonRequest(target, operation),
    rpcId,
    body: JSON.stringify({ jsonrpc: '2.0', id: rpcId, method, params }),
  };
}

/** Returns a JSON-RPC request with this body, or an HTTP+JSON request that sends a message with this body. */
export function encodeRaw(target: ProbeInterface, body: string): EncodedOperation {
  const url = target.binding === 'JSONRPC' ? target.url : pathOf(target, '/message:send');
  return { ...jsonRequest(target, { op: 'get', taskId: '' }), url, body, rpcId: null };
}

/** Returns the URL of a path below an HTTP+JSON interface. */
export function pathOf({ url, tenant }: ProbeInterface, path: string): string {
  const base = new URL(url);
  const prefix = tenant === undefined ? '' : `/${encodeURIComponent(tenant)}`;
  base.pathname = `${base.pathname.replace(/\/$/, '')}${prefix}${path}`;
  return base.href;
}

function jsonRequest(target: ProbeInterface, { op }: Operation): Omit<EncodedOperation, 'rpcId'> & { method: 'POST' } {
  const accept = op === 'stream' ? 'text/event-stream' : 'application/json';
  const headers = { 'content-type': 'application/json', accept, 'a2a-version': target.version };
  return { method: 'POST', url: target.url, headers };
}

function encodeRest(target: ProbeInterface, operation: Operation): EncodedOperation {
  const { method, headers } = jsonRequest(target, operation);
  const params = { ...tenantOf(target), ...paramsOf(target, operation) };
  const post = (path: string, body: object): EncodedOperation => ({
    ...{ method, url: pathOf(target, path), headers, rpcId: null },
    body: JSON.stringify(body),
  });
  const get = (path: string): EncodedOperation => {
    const { 'content-type': _none, ...others } = headers;
    return { method: 'GET', url: pathOf(target, path), headers: others, rpcId: null };
  };
  switch (operation.op) {
    case 'send':
      return post('/message:send', params);
    case 'stream':
      return post('/message:stream', params);
    case 'get':
      return get(`/tasks/${encodeURIComponent(operation.taskId)}`);
    case 'cancel':
      return post(`/tasks/${encodeURIComponent(operation.taskId)}:cancel`, {});
    case 'set-push':
      return post(`/tasks/${encodeURIComponent(operation.taskId)}/pushNotificationConfigs`, params);
    case 'extended-card':
      return get('/extendedAgentCard');
  }
}

function tenantOf({ tenant }: ProbeInterface): { tenant?: string } {
  return tenant === undefined ? {} : { tenant };
}

function paramsOf({ version, outputModes }: ProbeInterface, operation: Operation): JsonObject {
  switch (operation.op) {
    case 'send':
    case 'stream': {
      const { op, message, returnsAtOnce = false } = operation;
      if (version === '1.0')
        return { message, configuration: op === 'send' ? { returnImmediately: returnsAtOnce } : {} };
      const acceptedOutputModes = outputModes.length > 0 ? outputModes : ['text/plain'];
      const configuration = { acceptedOutputModes, ...(op === 'send' && { blocking: !returnsAtOnce }) };
      return { message: toV03Message(message), configuration };
    }
    case 'set-push': {
      const { taskId, url } = operation;
      if (version === '1.0') return { taskId, id: 'parley-test', url };
      return { taskId, pushNotificationConfig: { id: 'parley-test', url } };
    }
    case 'extended-card':
      return {};
    default:
      return { id: operation.taskId };
  }
}
