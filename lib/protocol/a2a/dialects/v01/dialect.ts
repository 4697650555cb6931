import type { JsonObject, JsonValue } from '../../../json';
import type { Message, Task } from '../../core/model';
import type { PushConfig } from '../../core/push';
import type { CoreRequest } from '../../core/requests';
import type { ErrorToEncode } from '../errors';
import { v01MethodsOf } from './decode';
import { writeMessage, writePushConfig, writeSendResult, writeTask } from './encode';
import { toOrlojError, toSocietyError, toV01Error } from './errors';
import { openV01Stream, type StreamEntry } from './stream';
import { type Variant, variants } from './variants';

type Methods = Record<string, (params: JsonObject) => CoreRequest>;

/** What calls in A2A 0.1 and its variations need beside the codec, because there the client names the task. */
export interface LegacyTraits {
  /** Ids are threads: the same id again is the next turn (Society). */
  threads: boolean;
  /** The history is written only when the agent's card has `stateTransitionHistory`. */
  historyNeedsCard: boolean;
  /** Our own id of the task stands in `metadata.task_id`. */
  publishesTaskId: boolean;
  /** A stream stays open when the agent asks something. */
  followsQuestions: boolean;
  /** Its callers know no links: an agent's linked files are to be inside the task. */
  inlinesFiles: boolean;
  /** A request without an id is refused instead of run as a notification. */
  needsRequestId: boolean;
  /** The longest a send waits unless the caller says otherwise, milliseconds. */
  waitMs: number;
  /** Error codes that are answered with HTTP 200 here. */
  quietErrors: ReadonlySet<string>;
  /** Name of the events of a stream whose data has no JSON-RPC envelope; absent: they have one. */
  bareEvents?: string;
  /**
   * Writes one stream that begins after `before`; `show` gives a task the id and the members that this reader is to see.
   * Of what is written for one entry only the last stands for it: a reader who has seen less must get all of it again.
   */
  openStream: (before: Task, show?: (task: Task) => Task) => (entry: StreamEntry) => JsonValue[];
}

interface V01Dialect {
  key: Variant['key'];
  methods: Methods;
  sendResult: (answer: { task: Task } | { message: Message }) => JsonValue;
  taskResult: (task: Task) => JsonValue;
  listResult: (
    page: { tasks: Task[]; nextPageToken: string; pageSize: number; totalSize: number },
    includeArtifacts: boolean,
  ) => JsonValue;
  snapshotEvent: (task: Task) => JsonValue;
  event: () => null;
  pushConfigResult: (config: PushConfig) => JsonValue;
  error: (error: ErrorToEncode) => { code: number; message: string; data: JsonValue };
  legacy: LegacyTraits;
}

/**
 * A2A 0.1 or one of its variations: `base` for what it does not have itself. `methods` are read beside its own, because on a
 * system's own path every method of every version is understood and the answer is that system's.
 */
export function v01Dialect<Base extends object>(
  key: Variant['key'],
  base: Base,
  methods: Methods = {},
): Omit<Base, keyof V01Dialect> & V01Dialect {
  const variant = variants[key];
  return {
    ...base,
    key,
    methods: { ...methods, ...v01MethodsOf(variant) },
    sendResult: (answer) =>
      'task' in answer ? writeSendResult(variant, answer.task) : writeMessage(variant, answer.message),
    taskResult: (task) => writeTask(variant, task),
    listResult: ({ tasks, ...page }, includeArtifacts) => ({
      tasks: tasks.map((task) => writeTask(variant, includeArtifacts ? task : { ...task, artifacts: [] })),
      ...page,
    }),
    snapshotEvent: (task) => writeTask(variant, task),
    event: () => null,
    pushConfigResult: writePushConfig,
    error: errorsOf(key),
    legacy: traitsOf(variant),
  };
}

function traitsOf(variant: Variant): LegacyTraits {
  const isOrloj = variant.key === 'orloj';
  const isSociety = variant.key === 'society';
  return {
    threads: isSociety,
    historyNeedsCard: isOrloj,
    publishesTaskId: isOrloj,
    followsQuestions: isOrloj,
    inlinesFiles: variant.parts === 'inline-files',
    needsRequestId: isSociety,
    waitMs: variant.waitMs,
    quietErrors: new Set(isSociety ? ['agent_not_found', 'payload_too_large'] : ['agent_not_found']),
    bareEvents: variant.frames === 'tasks' ? 'status' : undefined,
    openStream: (before, show = (task) => task) => openV01Stream(variant, before, show),
  };
}

function errorsOf(key: Variant['key']): V01Dialect['error'] {
  if (key === 'society') return toSocietyError;
  return key === 'orloj' ? toOrlojError : toV01Error;
}
