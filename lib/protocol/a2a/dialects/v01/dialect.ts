import type { JsonObject, JsonValue } from '../../../json';
import { applyEvent, statusOf, type TaskEvent } from '../../core/events';
import { endsTurn, type Message, type Task } from '../../core/model';
import type { CoreRequest, PushConfig } from '../../core/requests';
import { type ErrorToEncode, toOrlojError, toSocietyError, toV01Error } from '../errors';
import { v01MethodsOf } from './decode';
import {
  originalState,
  responseArtifact,
  writeArtifact,
  writeMessage,
  writeMetadata,
  writePushConfig,
  writeSendResult,
  writeStatus,
  writeTask,
} from './encode';
import { type Variant, variants } from './variants';

type Methods = Record<string, (params: JsonObject) => CoreRequest>;

/** What A2A 0.1 and its variants need besides the codec, because the client chooses the task id. */
export interface LegacyTraits {
  /** Task ids are threads: the same id again is the next turn (Society). */
  threads: boolean;
  /** The history is returned only if the agent's card has `stateTransitionHistory`. */
  historyNeedsCard: boolean;
  /** Parley's task id is in `metadata.task_id`. */
  publishesTaskId: boolean;
  /** A stream stays open while the agent waits for input. */
  followsQuestions: boolean;
  /** Callers cannot read links: linked files of the agent are inlined. */
  inlinesFiles: boolean;
  /** A request without an id is rejected instead of run as a notification. */
  needsRequestId: boolean;
  /** The default wait of a send for the end of the turn, milliseconds. */
  waitMs: number;
  /** Error codes that are returned with HTTP 200. */
  errorsWithStatus200: ReadonlySet<string>;
  /** Event name of streams without a JSON-RPC envelope; absent for streams with one. */
  bareEvents?: string;
  /**
   * Encodes one stream that starts after `before`; `show` maps a task to the id and members for this reader. Only the
   * last item of an entry acknowledges it: a reader that received fewer must receive all again.
   */
  openStream: (before: Task, show?: (task: Task) => Task) => (entry: StreamEntry) => JsonValue[];
}

interface V01Dialect {
  key: Variant['key'];
  methods: Methods;
  sendResult: (result: { task: Task } | { message: Message }) => JsonValue;
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
 * A2A 0.1 or one of its variants, on top of `base`. `methods` are accepted too, because a legacy system's path accepts
 * every method of every version and responds in that system's format.
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
    sendResult: (result) =>
      'task' in result ? writeSendResult(variant, result.task) : writeMessage(variant, result.message),
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
    errorsWithStatus200: new Set(isSociety ? ['agent_not_found', 'payload_too_large'] : ['agent_not_found']),
    bareEvents: variant.frames === 'tasks' ? 'status' : undefined,
    openStream: (before, show = (task) => task) => openV01Stream(variant, before, show),
  };
}

function errorsOf(key: Variant['key']): V01Dialect['error'] {
  if (key === 'society') return toSocietyError;
  return key === 'orloj' ? toOrlojError : toV01Error;
}

/** An item of a stream: the current task, or an event. */
type StreamEntry = { task: Task } | { event: TaskEvent };

/**
 * Encodes one stream. `before` is the task before the first entry, so that artifact indexes are stable across
 * reconnects; it is not modified. `show` maps a task to the id and members for this reader.
 */
function openV01Stream(
  variant: Variant,
  before: Task,
  show: (task: Task) => Task,
): (entry: StreamEntry) => JsonObject[] {
  const write = variant.frames === 'tasks' ? writeStates : writeUpdates;
  let task = structuredClone(before);
  return (entry) => {
    if ('task' in entry) task = structuredClone(entry.task);
    else applyEvent(task, entry.event);
    return write(variant, { task, entry, show });
  };
}

interface StreamUpdate {
  /** The task after the entry. */
  task: Task;
  entry: StreamEntry;
  show: (task: Task) => Task;
}

/** Orloj: the whole task on every status change. */
function writeStates(variant: Variant, { task, entry, show }: StreamUpdate): JsonObject[] {
  if ('event' in entry && statusOf(entry.event) === null) return [];
  return [writeTask(variant, show(task))];
}

/** A2A 0.1: TaskStatusUpdateEvent and TaskArtifactUpdateEvent. */
function writeUpdates(variant: Variant, { task, entry, show }: StreamUpdate): JsonObject[] {
  const { id } = show(task);
  if ('task' in entry) {
    const artifacts = task.artifacts.map((artifact, index) => ({
      id,
      artifact: writeArtifact(variant, artifact, index),
    }));
    return [...artifacts, ...statusFrames(variant, task, { id })];
  }
  const { event } = entry;
  if (event.type === 'artifact') {
    const { artifact, append, lastChunk, metadata } = event;
    const index = task.artifacts.findIndex(({ artifactId }) => artifactId === artifact.artifactId);
    const written = { ...writeArtifact(variant, artifact, index), append, lastChunk };
    return [{ id, artifact: written, metadata: metadata && writeMetadata(variant, metadata) }];
  }
  const status = statusOf(event);
  if (!status) return [];
  return statusFrames(
    variant,
    { ...task, status },
    { id, eventMetadata: event.type === 'status' ? event.metadata : undefined },
  );
}

function statusFrames(
  variant: Variant,
  task: Task,
  { id, eventMetadata }: { id: string; eventMetadata?: JsonObject },
): JsonObject[] {
  const { status } = task;
  const frame = {
    id,
    status: writeStatus(variant, status),
    final: endsTurn(status.state),
    metadata: writeMetadata(variant, { ...eventMetadata, ...originalState(variant, status.state) }),
  };
  const response = responseArtifact(variant, task);
  if (!response) return [frame];
  return [{ id, artifact: writeArtifact(variant, response, task.artifacts.length) }, frame];
}
