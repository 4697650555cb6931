import type { Message } from '../../wire.js';
import { fromV03Message } from '../a2a-v03.js';
import { isObject, type JsonObject, objectOf, parseJson } from '../json-value.js';

const operations = {
  SendMessage: 'send',
  SendStreamingMessage: 'stream',
  GetTask: 'get',
  CancelTask: 'cancel',
  SubscribeToTask: 'subscribe',
  CreateTaskPushNotificationConfig: 'set-push',
  GetExtendedAgentCard: 'extended-card',
  'message/send': 'send',
  'message/stream': 'stream',
  'tasks/get': 'get',
  'tasks/cancel': 'cancel',
  'tasks/resubscribe': 'subscribe',
  'tasks/pushNotificationConfig/set': 'set-push',
  'agent/getAuthenticatedExtendedCard': 'extended-card',
} as const;

/** A call of the agent, whatever its version and binding. */
export interface AgentCall {
  operation: (typeof operations)[keyof typeof operations] | 'card' | 'unknown' | 'invalid';
  version: '0.3' | '1.0';
  binding: 'JSONRPC' | 'HTTP+JSON';
  /** The id of the JSON-RPC envelope. */
  id: unknown;
  params: JsonObject;
  /** In the form of A2A 1.0; null without one. */
  message: Message | null;
  /** The text of the message. */
  text: string;
  /** Why the request cannot be processed; null if it can. */
  fault: { code: number; status: number; message: string } | null;
  request: Request;
}

export const RPC_PATH = '/a2a';
export const REST_PATH = '/rest';
const CARD_PATHS = ['/.well-known/agent-card.json', '/.well-known/agent.json'];

/** Reads a request. Never throws: what is wrong with it is in `fault`. */
export async function readCall(request: Request): Promise<AgentCall> {
  const { pathname } = new URL(request.url);
  const base = {
    version: '1.0',
    binding: 'JSONRPC',
    id: null,
    params: {},
    message: null,
    text: '',
    fault: null,
    request,
  } as const;
  if (request.method === 'GET' && CARD_PATHS.includes(pathname)) return { ...base, operation: 'card' };
  if (pathname.startsWith(`${REST_PATH}/`))
    return readRest(pathname.slice(REST_PATH.length), { ...base, binding: 'HTTP+JSON' });
  if (pathname !== RPC_PATH || request.method !== 'POST')
    return { ...base, binding: 'HTTP+JSON', operation: 'unknown' };
  const body = parseJson(await request.text());
  if (body === undefined) return invalid(base, { code: -32700, status: 200, message: 'The body is not JSON.' });
  if (!isObject(body) || typeof body.method !== 'string') {
    return invalid(base, { code: -32600, status: 200, message: 'The body is not a JSON-RPC request.' });
  }
  const { method, id = null } = body;
  const operation = Object.hasOwn(operations, method) ? operations[method as keyof typeof operations] : 'unknown';
  const version = method.includes('/') ? '0.3' : '1.0';
  return withMessage({ ...base, operation, version, id, params: objectOf(body.params) });
}

const restPaths: [pattern: RegExp, method: string, operation: AgentCall['operation']][] = [
  [/^\/message:send$/, 'POST', 'send'],
  [/^\/message:stream$/, 'POST', 'stream'],
  [/^\/tasks\/([^/:]+)$/, 'GET', 'get'],
  [/^\/tasks\/([^/:]+):cancel$/, 'POST', 'cancel'],
  [/^\/tasks\/([^/:]+):subscribe$/, 'POST', 'subscribe'],
  [/^\/tasks\/([^/:]+)\/pushNotificationConfigs$/, 'POST', 'set-push'],
  [/^\/extendedAgentCard$/, 'GET', 'extended-card'],
];

async function readRest(path: string, base: Omit<AgentCall, 'operation'>): Promise<AgentCall> {
  const { request } = base;
  const found = restPaths.find(([pattern, method]) => pattern.test(path) && method === request.method);
  if (!found) return { ...base, operation: 'unknown' };
  const [pattern, , operation] = found;
  const taskId = pattern.exec(path)?.[1];
  const text = request.method === 'GET' ? '{}' : (await request.text()) || '{}';
  const body = parseJson(text);
  if (!isObject(body)) return invalid(base, { code: -32700, status: 400, message: 'The body is not JSON.' });
  const ids = taskId === undefined ? {} : { id: decodeURIComponent(taskId), taskId: decodeURIComponent(taskId) };
  return withMessage({ ...base, operation, params: { ...body, ...ids } });
}

/** Reads the message of a send. */
function withMessage(call: AgentCall): AgentCall {
  if (call.operation !== 'send' && call.operation !== 'stream') return call;
  const { message } = call.params;
  if (!isObject(message) || !Array.isArray(message.parts) || message.parts.length === 0) {
    return invalid(call, { code: -32602, status: 400, message: 'The request has no message with parts.' });
  }
  const read = call.version === '1.0' ? (message as object as Message) : fromV03Message(message);
  return { ...call, message: read, text: read.parts.flatMap(({ text }) => text ?? []).join('\n') };
}

function invalid(call: Omit<AgentCall, 'operation'>, fault: NonNullable<AgentCall['fault']>): AgentCall {
  return { ...call, operation: 'invalid', fault };
}
