import type { JsonObject, JsonValue } from '../../json';
import type { CardShape } from '../core/card';
import type { TaskEvent } from '../core/events';
import type { CoreRequest, Message, PushConfig, Task } from '../core/model';
import type { EncodedError, ErrorToEncode } from './encode-errors';
import type { CallTraits, Variant } from './v01/variants';

/** The decoders of requests, by method. */
export type Methods = Record<string, (params: JsonObject) => CoreRequest>;

/** A dialect of A2A. Decodes requests and encodes the core model for its callers. */
export interface Dialect {
  key: '0.3' | '1.0' | '1.1' | Variant['key'];
  /** Methods that are absent result in "method not found". */
  methods: Methods;
  /** Returns the result of a send: the task, or the agent's message if that is its whole response. */
  sendResult: (result: { task: Task } | { message: Message }) => JsonValue;
  taskResult: (task: Task) => JsonValue;
  listResult: (
    page: { tasks: Task[]; nextPageToken: string; pageSize: number; totalSize: number },
    includeArtifacts: boolean,
  ) => JsonValue;
  /** Returns the first event of a stream. */
  snapshotEvent: (task: Task) => JsonValue;
  /** Encodes an event and its number in the task; null for events that the dialect's streams do not contain. */
  event: (event: TaskEvent, ids: { taskId: string; contextId: string }, seq: number) => JsonValue | null;
  pushConfigResult: (config: PushConfig) => JsonValue;
  pushListResult: (page: { configs: PushConfig[]; nextPageToken: string }) => JsonValue;
  /** The result of a delete. */
  pushDeleteResult: JsonValue;
  /** The shape of an extended card. */
  cardShape: CardShape;
  error: (error: ErrorToEncode) => EncodedError;
  /** Returns true for an error that has its own HTTP status in the JSON-RPC binding instead of 200. */
  hasHttpStatus: (code: ErrorToEncode['code']) => boolean;
  /** True if a request without an id is a notification, which has no response. Otherwise, it is rejected. */
  hasNotifications: boolean;
  /** Set for A2A 0.1 and its variants. */
  legacy?: LegacyTraits;
}

/** Returns true for the dialects with the methods, the errors and the streams of A2A 1.x. */
export function isVersion1({ key }: Pick<Dialect, 'key'>): boolean {
  return key === '1.0' || key === '1.1';
}

/** Options of A2A 0.1 and its variants in addition to the codec, required because the client chooses the task id. */
export interface LegacyTraits extends CallTraits {
  /** True if callers cannot fetch linked files, so that files of the agent are inlined. */
  inlinesFiles: boolean;
  /** Event name of streams without a JSON-RPC envelope; absent for streams with one. */
  bareEvents?: string;
  /**
   * Returns the encoder of one stream, whose first item is the task `before`. `show` maps a task to the id and members
   * for this reader. Only the last item of an entry acknowledges the entry: a reader that received fewer items must
   * receive all of them again.
   */
  openStream: (before: Task, show?: (task: Task) => Task) => (entry: StreamEntry) => JsonValue[];
}

/** An item of a stream: the current task, or an event. */
export type StreamEntry = { task: Task } | { event: TaskEvent };

/** Returns a task in a list, without its artifacts unless they were requested. */
export function toListedTask(task: Task, includeArtifacts: boolean): Task {
  return includeArtifacts ? task : { ...task, artifacts: [] };
}
