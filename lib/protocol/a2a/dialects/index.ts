import { isObject, type JsonObject, type JsonValue } from '../../json';
import type { RpcRequest } from '../../jsonrpc';
import { ProtocolError } from '../../protocol-error';
import type { CardShape } from '../core/card';
import { statusOf, type TaskEvent } from '../core/events';
import type { Message, Task } from '../core/model';
import type { CoreRequest, PushConfig, PushDialect } from '../core/requests';
import { type ErrorToEncode, toV03Error, toV10Error } from './errors';
import type { RestVersion } from './transcode-rest';
import { type LegacyTraits, v01Dialect } from './v01/dialect';
import type { LegacySystem, Variant } from './v01/variants';
import { v03Methods } from './v03/decode';
import {
  toRestEvent,
  toRestMessage,
  toRestPushConfig,
  toRestTask,
  toV03Event,
  toV03Message,
  toV03PushConfig,
  toV03Task,
} from './v03/encode';
import { v10Methods } from './v10/decode';
import { toV10Event, toV10Message, toV10PushConfig, toV10Task } from './v10/encode';

export { type DataTexts, findDataTexts } from './client/read-part';
export {
  type AgentErrorObject,
  type AgentItem,
  type AgentProtocol,
  readAgentError,
  readAgentResult,
} from './client/read-result';
export { type AgentRequest, toAgentRequest, toAgentRestRequest } from './client/write-request';
export { type ErrorToEncode, restErrorOf } from './errors';
export { type RestOperation, type RestVersion, toRpc } from './transcode-rest';
export type { LegacyTraits } from './v01/dialect';
export type { LegacySystem } from './v01/variants';

export type { RpcRequest };

/** A dialect of A2A: decodes its requests and encodes the core model for its callers. */
export interface Dialect {
  key: '0.3' | '1.0' | Variant['key'];
  /** A method that is absent here is "method not found". */
  methods: Record<string, (params: JsonObject) => CoreRequest>;
  /** The result of a send: the task, or the message when the agent responded with one only. */
  sendResult: (result: { task: Task } | { message: Message }) => JsonValue;
  taskResult: (task: Task) => JsonValue;
  listResult: (
    page: { tasks: Task[]; nextPageToken: string; pageSize: number; totalSize: number },
    includeArtifacts: boolean,
  ) => JsonValue;
  /** The first event of a stream. */
  snapshotEvent: (task: Task) => JsonValue;
  /** Null for events that the dialect's streams do not contain. */
  event: (event: TaskEvent, ids: { taskId: string; contextId: string }) => JsonValue | null;
  pushConfigResult: (config: PushConfig) => JsonValue;
  pushListResult: (page: { configs: PushConfig[]; nextPageToken: string }) => JsonValue;
  /** The result of a delete. */
  pushDeleteResult: JsonValue;
  /** The shape of an extended card. */
  cardShape: CardShape;
  error: (error: ErrorToEncode) => { code: number; message: string; data: JsonValue };
  /** Set for A2A 0.1 and its variants. */
  legacy?: LegacyTraits;
}

const v03: Dialect = {
  key: '0.3',
  methods: v03Methods,
  sendResult: (result) => ('task' in result ? toV03Task(result.task) : toV03Message(result.message)),
  taskResult: toV03Task,
  listResult: ({ tasks, ...page }, includeArtifacts) => ({
    tasks: tasks.map((task) => toV03Task(includeArtifacts ? task : { ...task, artifacts: [] })),
    ...page,
  }),
  snapshotEvent: toV03Task,
  event: toV03Event,
  pushConfigResult: toV03PushConfig,
  pushListResult: ({ configs }) => configs.map(toV03PushConfig),
  pushDeleteResult: null,
  cardShape: '0.3',
  error: toV03Error,
};

/** A2A 0.3 over HTTP: decoded like JSON-RPC, encoded as the ProtoJSON of its a2a.proto. */
const v03Rest: Dialect = {
  ...v03,
  sendResult: (result) =>
    'task' in result ? { task: toRestTask(result.task) } : { message: toRestMessage(result.message) },
  taskResult: toRestTask,
  listResult: ({ tasks, ...page }, includeArtifacts) => ({
    tasks: tasks.map((task) => toRestTask(includeArtifacts ? task : { ...task, artifacts: [] })),
    ...page,
  }),
  snapshotEvent: (task) => ({ task: toRestTask(task) }),
  event: toRestEvent,
  pushConfigResult: toRestPushConfig,
  pushListResult: ({ configs, nextPageToken }) => ({ configs: configs.map(toRestPushConfig), nextPageToken }),
  cardShape: '0.3-proto',
};

const v10: Dialect = {
  key: '1.0',
  methods: v10Methods,
  sendResult: (result) =>
    'task' in result ? { task: toV10Task(result.task) } : { message: toV10Message(result.message) },
  taskResult: (task) => toV10Task(task),
  listResult: ({ tasks, ...page }, includeArtifacts) => ({
    tasks: tasks.map((task) => toV10Task(task, { omitArtifacts: !includeArtifacts })),
    ...page,
  }),
  snapshotEvent: (task) => ({ task: toV10Task(task) }),
  event: toV10Event,
  pushConfigResult: toV10PushConfig,
  pushListResult: ({ configs, nextPageToken }) => ({ configs: configs.map(toV10PushConfig), nextPageToken }),
  pushDeleteResult: {},
  cardShape: '1.0',
  error: toV10Error,
};

const v02: Dialect = { ...v03, cardShape: '0.1' };

const v01: Dialect = v01Dialect('0.1', v02);

const allMethods = { ...v10Methods, ...v03Methods };

/** The dialects at the four legacy systems' paths, which accept every method. */
const legacySystems: Record<LegacySystem, Dialect> = {
  society: v01Dialect('society', v02, allMethods),
  societyai: v01Dialect('societyai', v02, allMethods),
  orloj: v01Dialect('orloj', v02, allMethods),
  agentos: v01Dialect('agentos', v02, allMethods),
};

/** The dialect at a legacy system's path. */
export function legacySystemDialect(system: LegacySystem): Dialect {
  return legacySystems[system];
}

/** The dialect of a caller that uses client-chosen task ids. */
export function legacyDialect(): Dialect {
  return v01;
}

/** The dialect of the response when the method could not be read: by version header or query, else 0.3. */
export function fallbackDialect(version: string): Dialect {
  if (isVersion01(version)) return v01;
  return version.startsWith('1.') ? v10 : v03;
}

/**
 * The dialect of a request, by its method. `A2A-Version` (header, then query) must be a supported version.
 * @throws {ProtocolError} `version_not_supported`, `method_not_found`
 */
export function chooseDialect(method: string, version: string): Dialect {
  requireKnownVersion(version);
  if (Object.hasOwn(v10Methods, method)) return v10;
  if (isVersion01(version) && Object.hasOwn(v01.methods, method)) return v01;
  if (Object.hasOwn(v03Methods, method)) return v03;
  if (Object.hasOwn(v01.methods, method)) return v01;
  throw new ProtocolError('method_not_found', `There is no method "${method.slice(0, 100)}".`);
}

function requireKnownVersion(version: string): void {
  if (!/^(?:|0\.[123](?:\.\d+)?|1\.0(?:\.\d+)?)$/.test(version)) {
    throw new ProtocolError(
      'version_not_supported',
      `A2A-Version "${version.slice(0, 20)}" is not spoken here; use 1.0, 0.3 or 0.1.`,
    );
  }
}

/**
 * The dialect of a path of the HTTP binding. `A2A-Version` must be a supported version. 0.2 has no such binding, only
 * one path with the JSON of JSON-RPC.
 * @throws {ProtocolError} `version_not_supported`
 */
export function restDialect(pathVersion: RestVersion, version: string): Dialect {
  requireKnownVersion(version);
  if (pathVersion === '0.2') return v02;
  return pathVersion === '1.0' ? v10 : v03Rest;
}

function isVersion01(version: string): boolean {
  return version === '0.1' || version.startsWith('0.1.');
}

/** Decodes the params of a request in its dialect. */
export function readRequest(dialect: Dialect, { method, params }: RpcRequest): CoreRequest {
  const decode = dialect.methods[method];
  if (decode && Object.hasOwn(dialect.methods, method)) return decode(params);
  throw new ProtocolError('method_not_found', `method not found: ${method.slice(0, 200)}`);
}

/**
 * True when the caller expects bare events instead of a JSON-RPC response, as Web42's clients do: a `message/send` that
 * accepts only event streams, or has no version, does not accept JSON, and has `kind` on its parts but not on the
 * message. Parts with `type` come from 0.1 clients, which read JSON (python-a2a).
 */
export function wantsBareEvents({ method, params }: RpcRequest, version: string, accept: string): boolean {
  if (method !== 'message/send') return false;
  const isBare = version === '' && isBareMessage(params.message);
  // Fast path for almost all calls; the header is parsed below.
  if (!isBare && !/event-stream/i.test(accept)) return false;
  const accepted = accept.split(',').map((type) => type.split(';', 1)[0]?.trim().toLowerCase() ?? '');
  if (accepted.length === 1 && accepted[0] === 'text/event-stream') return true;
  return isBare && !accepted.includes('application/json');
}

function isBareMessage(message: JsonValue | undefined): boolean {
  if (!isObject(message) || message.kind || !Array.isArray(message.parts)) return false;
  return message.parts.some((part) => isObject(part) && Boolean(part.kind));
}

/** The body of a push. */
interface PushBody {
  contentType: string;
  body: JsonObject;
}

/**
 * The push for an event; null for none. A2A 1.0 §4.3.3: a StreamResponse for every event. 0.3 §9.5: the task on every
 * status change, which includes new artifacts. `task` is the task after the event.
 */
export function toPushBody(dialect: PushDialect, event: TaskEvent, task: Task): PushBody | null {
  if (dialect === '0.3') {
    return statusOf(event) ? { contentType: 'application/json', body: toV03Task(task) } : null;
  }
  const body = toV10Event(event, { taskId: task.id, contextId: task.contextId });
  return body && { contentType: 'application/a2a+json', body };
}
