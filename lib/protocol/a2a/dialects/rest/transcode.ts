import type { JsonObject, JsonValue } from '../../../json';
import { withJsonNames } from '../proto-names';
import { toV03PushTarget, toV03SendParams } from '../v03/rest-decode';

/** The versions of A2A that have paths of their own over HTTP; 0.2 for its extended card alone. */
export type RestVersion = '0.2' | '0.3' | '1.0';

/** The operations of A2A's HTTP binding. */
export type RestOperation =
  | 'send'
  | 'stream'
  | 'get'
  | 'list'
  | 'cancel'
  | 'subscribe'
  | 'push-set'
  | 'push-get'
  | 'push-list'
  | 'push-delete'
  | 'card';

/** What a request over HTTP carries: names in its path, its query, its JSON body. */
export interface RestRequest {
  task?: string;
  config?: string;
  query: Record<string, string>;
  body: JsonObject;
}

type Transcoder = [method: string, params: (request: RestRequest) => JsonObject];

/** A2A 1.0 §11.3: the path's names and the query become members of the same request that JSON-RPC carries. */
const v10: Record<RestOperation, Transcoder> = {
  send: ['SendMessage', ({ body }) => body],
  stream: ['SendStreamingMessage', ({ body }) => body],
  get: ['GetTask', ({ task, query }) => ({ ...typed(query), id: task })],
  list: ['ListTasks', ({ query }) => typed(query)],
  cancel: ['CancelTask', ({ task, body }) => ({ ...body, id: task })],
  subscribe: ['SubscribeToTask', ({ task }) => ({ id: task })],
  'push-set': ['CreateTaskPushNotificationConfig', ({ task, body }) => ({ ...body, taskId: task })],
  'push-get': ['GetTaskPushNotificationConfig', ({ task, config }) => ({ taskId: task, id: config })],
  'push-list': ['ListTaskPushNotificationConfigs', ({ task, query }) => ({ ...typed(query), taskId: task })],
  'push-delete': ['DeleteTaskPushNotificationConfig', ({ task, config }) => ({ taskId: task, id: config })],
  card: ['GetExtendedAgentCard', () => ({})],
};

/** A2A 0.3 §3.5.3. */
const v03: Record<RestOperation, Transcoder> = {
  send: ['message/send', ({ body }) => toV03SendParams(body)],
  stream: ['message/stream', ({ body }) => toV03SendParams(body)],
  get: ['tasks/get', ({ task, query }) => ({ ...typed(query), id: task })],
  list: ['tasks/list', ({ query }) => typed(query)],
  cancel: ['tasks/cancel', ({ task, body }) => ({ ...body, id: task })],
  subscribe: ['tasks/resubscribe', ({ task }) => ({ id: task })],
  'push-set': [
    'tasks/pushNotificationConfig/set',
    ({ task, body }) => ({ taskId: task, pushNotificationConfig: toV03PushTarget(body) }),
  ],
  'push-get': [
    'tasks/pushNotificationConfig/get',
    ({ task, config }) => ({ id: task, pushNotificationConfigId: config }),
  ],
  'push-list': ['tasks/pushNotificationConfig/list', ({ task }) => ({ id: task })],
  'push-delete': [
    'tasks/pushNotificationConfig/delete',
    ({ task, config }) => ({ id: task, pushNotificationConfigId: config }),
  ],
  card: ['agent/getAuthenticatedExtendedCard', () => ({})],
};

/** The JSON-RPC request that says the same, so that both bindings are read by one codec (A2A 1.0 §5.1). */
export function toRpc(
  version: RestVersion,
  operation: RestOperation,
  request: RestRequest,
): { method: string; params: JsonObject } {
  const [method, params] = (version === '1.0' ? v10 : v03)[operation];
  return { method, params: params(request) };
}

const numbers = new Set(['historyLength', 'pageSize']);
const flags = new Set(['includeArtifacts']);

/** Query parameters as JSON values (A2A 1.0 §11.5); an empty one is not there. What is not of its type stays text, for the schema to refuse. */
function typed(query: Record<string, string>): JsonObject {
  return Object.fromEntries(
    Object.entries(withJsonNames(query))
      .filter(([, text]) => text !== '')
      .map(([name, text]): [string, JsonValue] => [name, typedValue(name, String(text))]),
  );
}

function typedValue(name: string, text: string): JsonValue {
  if (numbers.has(name) && /^-?\d{1,10}$/.test(text)) return Number(text);
  if (flags.has(name) && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
