import type { JsonObject, JsonValue } from '../../json';
import type { CardShape } from '../core/card';
import type { TaskEvent } from '../core/events';
import type { CoreRequest, Message, PushConfig, Task } from '../core/model';
import type { EncodedError, ErrorToEncode } from './encode-errors';
import type { CallTraits, Variant } from './v01/variants';

/** Decoders of requests, by method. */
export type Methods = Record<string, (params: JsonObject) => CoreRequest>;

/** A dialect of A2A: decodes its requests and encodes the core model for its callers. */
export interface Dialect {
  key: '0.3' | '1.0' | Variant['key'];
  /** A method that is absent here is "method not found". */
  methods: Methods;
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
  error: (error: ErrorToEncode) => EncodedError;
  /** Set for A2A 0.1 and its variants. */
  legacy?: LegacyTraits;
}

/**
 * The options that A2A 0.1 and its variants require in addition to the codec, because the client chooses the task id.
 */
export interface LegacyTraits extends CallTraits {
  /** True if callers cannot read links, so that linked files of the agent are inlined. */
  inlinesFiles: boolean;
  /** Event name of streams without a JSON-RPC envelope; absent for streams with one. */
  bareEvents?: string;
  /**
   * Encodes one stream that starts after `before`; `show` maps a task to the id and members for this reader. Only the
   * last item of an entry acknowledges it: a reader that received fewer must receive all again.
   */
  openStream: (before: Task, show?: (task: Task) => Task) => (entry: StreamEntry) => JsonValue[];
}

/** An item of a stream: the current task, or an event. */
export type StreamEntry = { task: Task } | { event: TaskEvent };

/** A task of a list, without its artifacts unless they were requested. */
export function toListedTask(task: Task, includeArtifacts: boolean): Task {
  return includeArtifacts ? task : { ...task, artifacts: [] };
}
