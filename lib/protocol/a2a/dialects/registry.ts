import type { JsonObject } from '../../json';
import type { RpcRequest } from '../../jsonrpc';
import { ProtocolError } from '../../protocol-error';
import { statusOf, type TaskEvent } from '../core/events';
import type { CoreRequest, PushDialect, Task } from '../core/model';
import { type Dialect, toListedTask } from './dialect';
import { httpErrors, toV03Error, toV10Error } from './encode-errors';
import type { RestVersion } from './transcode-rest';
import { v01Dialect } from './v01/v01-dialects';
import type { LegacySystem } from './v01/variants';
import { v03Methods } from './v03/decode';
import {
  toV03Event,
  toV03Message,
  toV03ProtoEvent,
  toV03ProtoMessage,
  toV03ProtoPushConfig,
  toV03ProtoTask,
  toV03PushConfig,
  toV03Task,
} from './v03/encode';
import { v10Methods } from './v10/decode';
import { toV10Event, toV10Message, toV10PushConfig, toV10Task } from './v10/encode';
import { v11Methods } from './v11/decode';
import { toV11Event, v11Encoders } from './v11/encode';

const hasHttpStatus: Dialect['hasHttpStatus'] = (code) => httpErrors.has(code);

/** A2A 0.3 over JSON-RPC. */
const v03: Dialect = {
  key: '0.3',
  methods: v03Methods,
  sendResult: (result) => ('task' in result ? toV03Task(result.task) : toV03Message(result.message)),
  taskResult: toV03Task,
  listResult: ({ tasks, ...page }, includeArtifacts) => ({
    tasks: tasks.map((task) => toV03Task(toListedTask(task, includeArtifacts))),
    ...page,
  }),
  snapshotEvent: toV03Task,
  event: toV03Event,
  pushConfigResult: toV03PushConfig,
  pushListResult: ({ configs }) => configs.map(toV03PushConfig),
  pushDeleteResult: null,
  cardShape: '0.3',
  error: toV03Error,
  hasHttpStatus,
  hasNotifications: true,
};

/** A2A 0.3 over HTTP: decoded as JSON-RPC, encoded as the ProtoJSON of its a2a.proto. */
const v03Rest: Dialect = {
  ...v03,
  sendResult: (result) =>
    'task' in result ? { task: toV03ProtoTask(result.task) } : { message: toV03ProtoMessage(result.message) },
  taskResult: toV03ProtoTask,
  listResult: ({ tasks, ...page }, includeArtifacts) => ({
    tasks: tasks.map((task) => toV03ProtoTask(toListedTask(task, includeArtifacts))),
    ...page,
  }),
  snapshotEvent: (task) => ({ task: toV03ProtoTask(task) }),
  event: toV03ProtoEvent,
  pushConfigResult: toV03ProtoPushConfig,
  pushListResult: ({ configs, nextPageToken }) => ({ configs: configs.map(toV03ProtoPushConfig), nextPageToken }),
  cardShape: '0.3-proto',
};

/** A2A 1.0, over every binding. */
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
  error: (error) => toV10Error(error),
  hasHttpStatus,
  hasNotifications: true,
};

/** The draft of A2A 1.1, over every binding. */
const v11: Dialect = { ...v10, ...v11Encoders, key: '1.1', methods: v11Methods };

/** A2A 0.2: 0.3 with an older card. */
const v02: Dialect = { ...v03, cardShape: '0.1' };

/** A2A 0.1 as specified. */
const v01: Dialect = v01Dialect('0.1', v02);

const allMethods = { ...v10Methods, ...v03Methods };

/** The dialects at the paths of the four legacy systems, which accept every method. */
const legacySystems: Record<LegacySystem, Dialect> = {
  society: v01Dialect('society', v02, allMethods),
  societyai: v01Dialect('societyai', v02, allMethods),
  orloj: v01Dialect('orloj', v02, allMethods),
  agentos: v01Dialect('agentos', v02, allMethods),
};

/** Returns the dialect at a legacy system's path. */
export function legacySystemDialect(system: LegacySystem): Dialect {
  return legacySystems[system];
}

/** Returns the dialect of a caller that uses client-chosen task ids. */
export function legacyDialect(): Dialect {
  return v01;
}

/**
 * Returns the dialect of the response if the method could not be read: from the version header or query, otherwise 0.3.
 */
export function fallbackDialect(version: string): Dialect {
  if (isVersion01(version)) return v01;
  return version.startsWith('1.') ? version1(version) : v03;
}

/**
 * Returns the dialect of a request, by its method. `A2A-Version` (header, otherwise query) must be a supported version.
 * @throws {ProtocolError} `version_not_supported`, `method_not_found`
 */
export function chooseDialect(method: string, version: string): Dialect {
  requireKnownVersion(version);
  if (Object.hasOwn(v10.methods, method)) return version1(version);
  if (isVersion01(version) && Object.hasOwn(v01.methods, method)) return v01;
  if (Object.hasOwn(v03.methods, method)) return v03;
  if (Object.hasOwn(v01.methods, method)) return v01;
  throw new ProtocolError('method_not_found', `Unknown method "${method.slice(0, 100)}".`);
}

function requireKnownVersion(version: string): void {
  if (!/^(?:|0\.[123](?:\.\d+)?|1\.[01](?:\.\d+)?)$/.test(version)) {
    throw new ProtocolError(
      'version_not_supported',
      `A2A-Version "${version.slice(0, 20)}" is not supported. Use 1.0, 0.3 or 0.1.`,
    );
  }
}

/**
 * Returns the dialect of a path of the HTTP binding. `A2A-Version` must be a supported version. 0.2 has only one path,
 * with the JSON of JSON-RPC.
 * @throws {ProtocolError} `version_not_supported`
 */
export function restDialect(pathVersion: RestVersion, version: string): Dialect {
  requireKnownVersion(version);
  if (pathVersion === '0.2') return v02;
  return pathVersion === '1.0' ? version1(version) : v03Rest;
}

/** Returns 1.1 for callers that name it, otherwise 1.0. */
function version1(version: string): Dialect {
  return /^1\.1(?:\.\d+)?$/.test(version) ? v11 : v10;
}

function isVersion01(version: string): boolean {
  return version === '0.1' || version.startsWith('0.1.');
}

/**
 * Decodes the params of a request in its dialect.
 * @throws {ProtocolError} `method_not_found`, `invalid_params`
 */
export function readRequest(dialect: Dialect, { method, params }: RpcRequest): CoreRequest {
  const decode = dialect.methods[method];
  if (decode && Object.hasOwn(dialect.methods, method)) return decode(params);
  throw new ProtocolError('method_not_found', `method not found: ${method.slice(0, 200)}`);
}

/** The body of a push. */
interface PushBody {
  contentType: string;
  body: JsonObject;
}

/**
 * Returns the push for an event; null for none. A2A 1.x (§4.3.3) pushes a StreamResponse for every event; 0.3 (§9.5)
 * pushes the task, including new artifacts, on every status change. `task` is the task after the event.
 */
export function toPushBody(
  dialect: PushDialect,
  { seq, event }: { seq: number; event: TaskEvent },
  task: Task,
): PushBody | null {
  if (dialect === '0.3') {
    return statusOf(event) ? { contentType: 'application/json', body: toV03Task(task) } : null;
  }
  const ids = { taskId: task.id, contextId: task.contextId };
  const body = dialect === '1.1' ? toV11Event(event, ids, seq) : toV10Event(event, ids);
  return body && { contentType: 'application/a2a+json', body };
}
