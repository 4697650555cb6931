import { isObject, type JsonObject, type JsonValue } from '../../json';
import { type Dialect, isVersion1 } from './dialect';
import type { ByCode, ErrorToEncode } from './encode-errors';
import { withJsonNames } from './params';

/** Versions with their own HTTP paths. 0.2 has only the path of its extended card. */
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

/** An HTTP request: the variables of its path, its query, and its JSON body. */
export interface RestRequest {
  task?: string;
  config?: string;
  query: Record<string, string>;
  body: JsonObject;
}

type Transcoder = [method: string, params: (request: RestRequest) => JsonObject];

/** A2A 1.0 §11.3: path variables and query parameters become members of the JSON-RPC params. */
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
    ({ task, body }) => ({ taskId: task, pushNotificationConfig: readPushTarget(body) }),
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

/** Returns the equivalent JSON-RPC request, so that one codec decodes both bindings (A2A 1.0 §5.1). */
export function toRpc(
  version: RestVersion,
  operation: RestOperation,
  request: RestRequest,
): { method: string; params: JsonObject } {
  const [method, params] = (version === '1.0' ? v10 : v03)[operation];
  return { method, params: params(request) };
}

const numbers = new Set(['historyLength', 'pageSize', 'timelineLength']);
const flags = new Set(['includeArtifacts']);

/**
 * Returns query parameters as JSON values (A2A 1.0 §11.5); empty ones are absent. Values of the wrong type remain text,
 * which the schema rejects.
 */
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

/**
 * Returns the JSON-RPC params of a send over the HTTP binding of 0.3. Accepts the ProtoJSON of a2a.proto and the format
 * of the JSON schema, which the specification's examples use. The schema rejects all other formats. An absent
 * `blocking` is false, as in ProtoJSON.
 */
export function toV03SendParams(body: JsonObject): JsonObject {
  const { request, message = request, configuration, ...rest } = body;
  return {
    ...rest,
    message: isObject(message) ? toMessage(message) : message,
    configuration: toConfiguration(configuration ?? {}),
  };
}

/** Reads the push configuration in a request body, bare or as `config` of a CreateTaskPushNotificationConfigRequest. */
export function readPushTarget(body: JsonObject): JsonValue | undefined {
  const inner = withJsonNames(isObject(body.config) ? body.config : body);
  const { pushNotificationConfig: target } = inner;
  return isObject(target) ? withoutEmpty(withJsonNames(target)) : target;
}

function toConfiguration(given: JsonValue): JsonValue {
  if (!isObject(given)) return given;
  const { pushNotification, blocking, ...others } = withJsonNames(given);
  const configuration = { ...others, blocking: blocking ?? false };
  return pushNotification === undefined
    ? configuration
    : { ...configuration, pushNotificationConfig: withoutEmpty(pushNotification) };
}

function toMessage(given: JsonObject): JsonObject {
  const { content, parts = content, role, ...message } = withJsonNames(given);
  return {
    ...(withoutEmpty(message) as JsonObject),
    role: role === 'ROLE_USER' ? 'user' : role,
    parts: Array.isArray(parts) ? parts.map(toPart) : parts,
  };
}

function toPart(part: JsonValue): JsonValue {
  if (!isObject(part) || 'kind' in part) return part;
  const { metadata } = part;
  if ('text' in part) return { kind: 'text', text: part.text, metadata };
  if (isObject(part.file)) {
    const { fileWithBytes: bytes, fileWithUri: uri, mimeType, name } = withJsonNames(part.file);
    return { kind: 'file', file: { bytes, uri, mimeType, name }, metadata };
  }
  if (isObject(part.data)) return { kind: 'data', data: part.data.data, metadata };
  return part;
}

// ProtoJSON may write an absent value as an empty text, or an absent message as an empty object.
function withoutEmpty(value: JsonValue): JsonValue {
  if (!isObject(value)) return value;
  const isPresent = (inner: JsonValue | undefined): boolean =>
    inner !== '' && !(isObject(inner) && Object.keys(inner).length === 0);
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => isPresent(inner)));
}

/** HTTP statuses of A2A 1.0.1 (§5.4) that differ from Parley's statuses for the same error. */
const statuses: ByCode<number> = {
  task_not_cancelable: 400,
  task_busy: 400,
  content_type_not_supported: 400,
  idempotency_mismatch: 400,
  agent_misbehaved: 500,
};

/** The `google.rpc.Code` of errors for which it cannot be derived from the HTTP status (A2A 1.0 §5.4). */
const codes: ByCode<RpcStatusName> = {
  task_not_cancelable: 'FAILED_PRECONDITION',
  task_busy: 'FAILED_PRECONDITION',
  payment_required: 'FAILED_PRECONDITION',
  generation_mismatch: 'ABORTED',
  push_not_supported: 'UNIMPLEMENTED',
  unsupported_operation: 'UNIMPLEMENTED',
  extended_card_not_configured: 'FAILED_PRECONDITION',
  extended_card_not_declared: 'UNIMPLEMENTED',
  extension_support_required: 'FAILED_PRECONDITION',
  version_not_supported: 'UNIMPLEMENTED',
  method_not_found: 'UNIMPLEMENTED',
};

/** A status of `google.rpc.Code` that errors of A2A have. */
export type RpcStatusName =
  | 'INVALID_ARGUMENT'
  | 'DEADLINE_EXCEEDED'
  | 'NOT_FOUND'
  | 'PERMISSION_DENIED'
  | 'RESOURCE_EXHAUSTED'
  | 'FAILED_PRECONDITION'
  | 'ABORTED'
  | 'UNIMPLEMENTED'
  | 'INTERNAL'
  | 'UNAVAILABLE'
  | 'UNAUTHENTICATED';

const codeOfStatus: Record<number, RpcStatusName> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  413: 'INVALID_ARGUMENT',
  415: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/**
 * Returns an error for the HTTP binding: `google.rpc.Status` in `error` for A2A 1.x (§11.6), the bare JSON-RPC error
 * for 0.3. `status` is Parley's usual status.
 */
export function restErrorOf(
  dialect: Pick<Dialect, 'key' | 'error'>,
  error: ErrorToEncode,
  status: number,
): { status: number; body: JsonObject } {
  const { code, message, data } = dialect.error(error);
  if (!isVersion1(dialect)) return { status, body: { code, message, data } };
  const own = statuses[error.code] ?? status;
  return { status: own, body: { error: { code: own, status: statusNameOf(error, own), message, details: data } } };
}

function statusNameOf({ code }: ErrorToEncode, status: number): RpcStatusName {
  return codes[code] ?? codeOfStatus[status] ?? 'INTERNAL';
}

/** Returns an error for the gRPC binding (A2A 1.0 §10.6). `status` is Parley's usual HTTP status. */
export function grpcErrorOf(
  dialect: Pick<Dialect, 'error'>,
  error: ErrorToEncode,
  status: number,
): { name: RpcStatusName; message: string; details: JsonObject[] } {
  const { message, data } = dialect.error(error);
  // gRPC has its own code for a message above the limit of the receiver.
  const isTooLarge = error.code === 'payload_too_large';
  const name = isTooLarge ? 'RESOURCE_EXHAUSTED' : statusNameOf(error, statuses[error.code] ?? status);
  return { name, message, details: Array.isArray(data) ? data.filter(isObject) : [] };
}
