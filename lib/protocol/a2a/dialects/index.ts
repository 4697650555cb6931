import { isObject, type JsonObject, type JsonValue } from '../../json';
import type { RpcRequest } from '../../jsonrpc';
import { ProtocolError } from '../../protocol-error';
import type { CardShape } from '../core/card';
import type { TaskEvent } from '../core/events';
import type { Message, Task } from '../core/model';
import type { PushConfig } from '../core/push';
import type { CoreRequest } from '../core/requests';
import { type ErrorToEncode, toV03Error, toV10Error } from './errors';
import type { RestVersion } from './rest/transcode';
import { type LegacyTraits, v01Dialect } from './v01/dialect';
import type { LegacySystem, Variant } from './v01/variants';
import { v03Methods } from './v03/decode';
import { toV03Event, toV03Message, toV03PushConfig, toV03Task } from './v03/encode';
import { toRestEvent, toRestMessage, toRestPushConfig, toRestTask } from './v03/rest-encode';
import { v10Methods } from './v10/decode';
import { toV10Event, toV10Message, toV10PushConfig, toV10Task } from './v10/encode';

export { type DataTexts, findDataTexts } from './client/data-texts';
export { type AgentErrorObject, readAgentError } from './client/read-error';
export { type AgentItem, type AgentWire, readAgentResult } from './client/read-result';
export { type AgentRequest, toAgentRequest } from './client/write-request';
export { toAgentRestRequest } from './client/write-rest';
export type { ErrorToEncode } from './errors';
export { toPushBody } from './push-body';
export { restErrorOf } from './rest/errors';
export { type RestOperation, type RestVersion, toRpc } from './rest/transcode';
export type { LegacyTraits } from './v01/dialect';
export type { LegacySystem } from './v01/variants';

export type { RpcRequest };

/** One dialect of A2A: how its requests are read and how the core model is written for its callers. */
export interface Dialect {
  key: '0.3' | '1.0' | Variant['key'];
  /** Absence of a method here is how "method not found" comes about. */
  methods: Record<string, (params: JsonObject) => CoreRequest>;
  /** Result of a send: the task, or the message when the agent answered with one alone. */
  sendResult: (answer: { task: Task } | { message: Message }) => JsonValue;
  taskResult: (task: Task) => JsonValue;
  listResult: (
    page: { tasks: Task[]; nextPageToken: string; pageSize: number; totalSize: number },
    includeArtifacts: boolean,
  ) => JsonValue;
  /** The first event of a stream. */
  snapshotEvent: (task: Task) => JsonValue;
  /** Null for events that the dialect's streams do not carry. */
  event: (event: TaskEvent, ids: { taskId: string; contextId: string }) => JsonValue | null;
  pushConfigResult: (config: PushConfig) => JsonValue;
  pushListResult: (page: { configs: PushConfig[]; nextPageToken: string }) => JsonValue;
  /** The answer to a delete. */
  pushDeleteResult: JsonValue;
  /** In which an extended card is answered. */
  cardShape: CardShape;
  error: (error: ErrorToEncode) => { code: number; message: string; data: JsonValue };
  /** What A2A 0.1 and its variations need beside. */
  legacy?: LegacyTraits;
}

const v03: Dialect = {
  key: '0.3',
  methods: v03Methods,
  sendResult: (answer) => ('task' in answer ? toV03Task(answer.task) : toV03Message(answer.message)),
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

/** A2A 0.3 over HTTP: read as above, written as the ProtoJSON of its a2a.proto. */
const v03Rest: Dialect = {
  ...v03,
  sendResult: (answer) =>
    'task' in answer ? { task: toRestTask(answer.task) } : { message: toRestMessage(answer.message) },
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
  sendResult: (answer) =>
    'task' in answer ? { task: toV10Task(answer.task) } : { message: toV10Message(answer.message) },
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

/** What is written on the own paths of four systems, whatever is read there. */
const legacySystems: Record<LegacySystem, Dialect> = {
  society: v01Dialect('society', v02, allMethods),
  societyai: v01Dialect('societyai', v02, allMethods),
  orloj: v01Dialect('orloj', v02, allMethods),
  agentos: v01Dialect('agentos', v02, allMethods),
};

/** The dialect of answers on a system's own path. */
export function legacySystemDialect(system: LegacySystem): Dialect {
  return legacySystems[system];
}

/** The dialect of a caller who knows a task by an id of their own. */
export function legacyDialect(): Dialect {
  return v01;
}

/** The dialect for answers to requests whose method could not be read: by header or query, else 0.3. */
export function fallbackDialect(version: string): Dialect {
  if (isVersion01(version)) return v01;
  return version.startsWith('1.') ? v10 : v03;
}

/**
 * Which dialect a request speaks: the method's grammar decides, `A2A-Version` (header, then query) must be one we know.
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
 * The dialect of a path of the HTTP binding, which decides it; `A2A-Version` must be one we know. 0.2 had no such binding,
 * but one path, and JSON as JSON-RPC has it.
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

/** Reads the params of a request in its dialect. */
export function readRequest(dialect: Dialect, { method, params }: RpcRequest): CoreRequest {
  const decode = dialect.methods[method];
  if (decode && Object.hasOwn(dialect.methods, method)) return decode(params);
  throw new ProtocolError('method_not_found', `method not found: ${method.slice(0, 200)}`);
}

/**
 * True when the caller speaks Web42's way and wants bare events instead of a JSON-RPC answer: `message/send`, and either
 * only event streams are accepted, or no version is named, JSON is not asked for, and the message has no `kind` while its parts
 * have one. Parts told by `type` are those of clients that grew up with 0.1 and read JSON (python-a2a).
 */
export function wantsBareEvents({ method, params }: RpcRequest, version: string, accept: string): boolean {
  if (method !== 'message/send') return false;
  const isBare = version === '' && isBareMessage(params.message);
  // Nearly all calls; what comes takes the header apart.
  if (!isBare && !/event-stream/i.test(accept)) return false;
  const accepted = accept.split(',').map((type) => type.split(';', 1)[0]?.trim().toLowerCase() ?? '');
  if (accepted.length === 1 && accepted[0] === 'text/event-stream') return true;
  return isBare && !accepted.includes('application/json');
}

function isBareMessage(message: JsonValue | undefined): boolean {
  if (!isObject(message) || message.kind || !Array.isArray(message.parts)) return false;
  return message.parts.some((part) => isObject(part) && Boolean(part.kind));
}
