import { ProtocolFault } from '../../faults';
import { isObject, type JsonObject, type JsonValue } from '../../json';
import type { RpcRequest } from '../../jsonrpc';
import type { TaskEvent } from '../core/events';
import type { Message, Task } from '../core/model';
import type { CoreRequest } from '../core/requests';
import { type ErrorToEncode, toV03Error, toV10Error } from './errors';
import { v03Methods } from './v03/decode';
import { toV03Event, toV03Message, toV03Task } from './v03/encode';
import { v10Methods } from './v10/decode';
import { toV10Event, toV10Message, toV10Task } from './v10/encode';

export { type AgentItem, readAgentResult } from './agent/read-result';
export { toAgentRequest } from './agent/write-request';
export type { ErrorToEncode } from './errors';

export type { RpcRequest };

/** One dialect of A2A: how its requests are read and how the core model is written for its callers. */
export interface Dialect {
  key: '0.3' | '1.0';
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
  error: (error: ErrorToEncode) => { code: number; message: string; data: JsonValue };
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
  error: toV03Error,
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
  error: toV10Error,
};

/** The dialect for answers to requests whose method could not be read: by header or query, else 0.3. */
export function fallbackDialect(version: string): Dialect {
  return version.startsWith('1.') ? v10 : v03;
}

/**
 * Which dialect a request speaks: the method's grammar decides, `A2A-Version` (header, then query) must be one we know.
 * @throws {ProtocolFault} `version_not_supported`, `method_not_found`
 */
export function chooseDialect(method: string, version: string): Dialect {
  if (!/^(?:|0\.[23](?:\.\d+)?|1\.0(?:\.\d+)?)$/.test(version)) {
    throw new ProtocolFault(
      'version_not_supported',
      `A2A-Version "${version.slice(0, 20)}" is not spoken here; use 1.0 or 0.3.`,
    );
  }
  if (Object.hasOwn(v10Methods, method)) return v10;
  if (Object.hasOwn(v03Methods, method)) return v03;
  throw new ProtocolFault('method_not_found', `There is no method "${method.slice(0, 100)}".`);
}

/** Reads the params of a request in its dialect. */
export function readRequest(dialect: Dialect, { method, params }: RpcRequest): CoreRequest {
  const decode = dialect.methods[method];
  if (!decode) throw new ProtocolFault('method_not_found', `There is no method "${method.slice(0, 100)}".`);
  return decode(params);
}

/**
 * True when the caller speaks Web42's way and wants bare events instead of a JSON-RPC answer: `message/send`, and either
 * only event streams are accepted, or no version is named, the message has no `kind` and JSON is not asked for.
 */
export function wantsBareEvents({ method, params }: RpcRequest, version: string, accept: string): boolean {
  if (method !== 'message/send') return false;
  const accepted = accept.split(',').map((type) => type.split(';', 1)[0]?.trim().toLowerCase() ?? '');
  if (accepted.length === 1 && accepted[0] === 'text/event-stream') return true;
  const hasKind = isObject(params.message) && 'kind' in params.message;
  return version === '' && !hasKind && !accepted.includes('application/json');
}
