import type { Method } from '@/lib/http/handler';
import { newUuid } from '@/lib/platform/ids';
import { malform, type RawRequest, randomOf, type Sample } from './malformed';

/** Whose requests are malformed: a user with an agent, an app and a task. */
export interface Caller {
  slug: string;
  taskId: string;
  /** For calls to the agent. */
  agentToken: string;
  accessToken: string;
  /** Basic credentials of the app. */
  app: string;
  /** Of a browser at the consent page; empty without one. */
  cookie: string;
  origin: string;
}

interface Endpoint {
  method: Method;
  path: string;
}

export interface ResponseBody {
  status: number;
  type: string;
  text: string;
}

const message03 = () => ({
  message: { kind: 'message', messageId: newUuid(), role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
});
const message10 = () => ({ message: { messageId: newUuid(), role: 'ROLE_USER', parts: [{ text: 'hi' }] } });
const messageOld = () => ({ id: newUuid(), message: { role: 'user', parts: [{ type: 'text', text: 'hi' }] } });
const push = { url: 'http://127.0.0.1:9/hook', token: 'for the receiver' };

/** Valid JSON-RPC requests of every generation. */
function calls({ taskId }: Caller): object[] {
  const task = { id: taskId };
  const methods: [string, object][] = [
    ['message/send', message03()],
    ['message/stream', { ...message03(), configuration: { acceptedOutputModes: ['text/plain'], historyLength: 1 } }],
    ['tasks/get', { ...task, historyLength: 1 }],
    ['tasks/cancel', task],
    ['tasks/resubscribe', task],
    ['tasks/list', { pageSize: 5 }],
    ['tasks/pushNotificationConfig/set', { taskId, pushNotificationConfig: push }],
    ['tasks/pushNotificationConfig/get', { ...task, pushNotificationConfigId: 'x' }],
    ['agent/getAuthenticatedExtendedCard', {}],
    ['SendMessage', { ...message10(), configuration: { returnImmediately: true } }],
    ['SendStreamingMessage', message10()],
    ['GetTask', task],
    ['ListTasks', { contextId: newUuid(), status: 'TASK_STATE_COMPLETED' }],
    ['SubscribeToTask', task],
    ['CreateTaskPushNotificationConfig', { taskId, ...push }],
    ['tasks/send', messageOld()],
    ['tasks/sendSubscribe', messageOld()],
  ];
  return methods.map(([method, params]) => ({ jsonrpc: '2.0', id: 1, method, params }));
}

/** Paths for apps of other protocols, which take access tokens. */
const hostPaths = /^\/(?:mcp|agents\/:slug\/mcp|v1\/(?:models|chat|responses|files))\b/;

/** Valid bodies of these paths. */
function hostBodiesOf(path: string, { slug }: Caller): object[] {
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }];
  if (path === '/v1/chat/completions') return [true, false].map((stream) => ({ model: slug, messages, stream }));
  if (path === '/v1/responses') return [true, false].map((stream) => ({ model: slug, input: 'hi', stream }));
  const name = path === '/mcp' ? 'send_message' : `${slug}_script`;
  const call = { name, arguments: { agent: slug, message: 'hi' }, _meta: { progressToken: 1 } };
  const methods: [string, object][] = [
    ['initialize', { protocolVersion: '2025-11-25' }],
    ['tools/list', {}],
    ['tools/call', call],
  ];
  return methods.map(([method, params]) => ({ jsonrpc: '2.0', id: 1, method, params }));
}

const consent = new URLSearchParams({
  response_type: 'code',
  client_id: 'reg.x.x',
  redirect_uri: 'https://client.example/callback',
  code_challenge: 'x'.repeat(43),
  code_challenge_method: 'S256',
  state: 'xyz',
  decision: 'allow',
}).toString();

/** Valid bodies of the endpoints without JSON-RPC. */
function bodiesOf(path: string, caller: Caller): (object | string)[] {
  if (path.endsWith('/introspect')) return [`token=${caller.agentToken}&token_type_hint=access_token`];
  if (path.endsWith('/handshake')) return [{ agentSlug: caller.slug }];
  if (path.endsWith('/access-tokens')) return [{ name: 'x', scopes: ['handshake'], expiresInDays: 1 }];
  if (path === '/oauth/register') return [{ client_name: 'x', redirect_uris: ['https://client.example/callback'] }];
  if (path === '/oauth/authorize') return [consent];
  if (path.startsWith('/api/')) return [{ name: 'x' }];
  if (hostPaths.test(path)) return hostBodiesOf(path, caller);
  if (!path.includes('/a2a/rest/')) return calls(caller);
  if (path.includes('/message:')) return [message10(), message03(), { request: message10().message }];
  return path.includes('pushNotificationConfigs') ? [push, { config: { pushNotificationConfig: push } }] : [{}];
}

function samplesOf(endpoints: readonly Endpoint[], caller: Caller): Sample[] {
  const { slug, taskId } = caller;
  const params = { slug, task: taskId, id: 'x', config: 'x', secretId: 'x', model: slug };
  return endpoints.flatMap(({ method, path }): Sample[] => {
    if (method === 'GET' || method === 'DELETE') return [{ method, path, params }];
    const isForm = path.endsWith('/introspect') || path === '/oauth/authorize';
    const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
    return bodiesOf(path, caller).map((body) => ({ method, path, params, body, headers: { 'content-type': type } }));
  });
}

/** Most requests are authorized, so that their errors are found deeper in the code. */
function authorizationOf(path: string, caller: Caller, chance: number): Record<string, string> {
  if (chance < 0.15) return {};
  if (path.includes('/introspect')) return { authorization: caller.app };
  if (path.startsWith('/oauth/')) return { cookie: caller.cookie, origin: caller.origin };
  const isOwnToken = path.startsWith('/api/') || hostPaths.test(path);
  return { authorization: `Bearer ${isOwnToken ? caller.accessToken : caller.agentToken}` };
}

/** Malformed requests to these endpoints without end; the same ones for the same seed. */
export function* malformedRequests(
  endpoints: readonly Endpoint[],
  caller: Caller,
  seed: number,
): Generator<RawRequest, never> {
  const random = randomOf(seed);
  const samples = samplesOf(endpoints, caller);
  for (;;) {
    const sample = samples[Math.floor(random() * samples.length)] as Sample;
    const headers = { ...sample.headers, ...authorizationOf(sample.path, caller, random()) };
    const request = malform({ ...sample, headers }, random);
    yield { ...request, headers: latin1(request.headers) };
  }
}

/** Node's client refuses to write anything else. */
function latin1(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value)));
}

/** What is wrong with a response; null when a caller can understand it. */
export function problemOf({ method, body }: RawRequest, { status, type, text }: ResponseBody): string | null {
  if (status >= 500) return `HTTP ${status}`;
  if (/\n\s+at .+:\d+:\d+|node_modules|prisma|postgres|SELECT |INSERT /i.test(type.startsWith('text/html') ? '' : text))
    return 'tells what is inside';
  if (status < 400 || type.startsWith('text/')) return null;
  if (text === '')
    return method === 'HEAD' || status === 400 || status === 405 || isNotification(body)
      ? null
      : `HTTP ${status} without a word`;
  const parsedBody = JSON.parse(text) as Record<string, unknown>;
  // OAuth's errors and problems; JSON-RPC's, OpenAI's, google.rpc.Status, and those of HTTP+JSON in 0.3, which are bare.
  if (
    typeof parsedBody.error === 'string' ||
    (typeof parsedBody.code === 'string' && typeof parsedBody.title === 'string')
  )
    return null;
  const { code, message } = (parsedBody.error ?? parsedBody) as Record<string, unknown>;
  const isCode = Number.isInteger(code) || (typeof code === 'string' && code !== '');
  return isCode && typeof message === 'string' ? null : 'an error without code and message';
}

/** JSON-RPC 2.0 §4.1: a request without an id gets no body. */
function isNotification(body: RawRequest['body']): boolean {
  try {
    const parsed = JSON.parse(String(body)) as Record<string, unknown> | null;
    return parsed !== null && parsed.jsonrpc === '2.0' && parsed.id === undefined;
  } catch {
    return false;
  }
}

/** The beginning of a request, for messages. */
export function describeRequest({ method, path, headers, body }: RawRequest): string {
  const shown = { ...headers, authorization: headers.authorization?.slice(0, 10) };
  return `${method} ${path.slice(0, 150)} ${JSON.stringify(shown).slice(0, 300)} ${body?.toString('utf8').slice(0, 300)}`;
}
