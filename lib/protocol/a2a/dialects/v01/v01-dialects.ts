import type { JsonObject } from '../../../json';
import { applyEvent, statusOf } from '../../core/events';
import { endsTurn, type Task } from '../../core/model';
import { type Dialect, type LegacyTraits, type Methods, type StreamEntry, toListedTask } from '../dialect';
import { v01MethodsOf } from './decode';
import {
  originalState,
  responseArtifact,
  toV01Artifact,
  toV01Message,
  toV01Metadata,
  toV01PushConfig,
  toV01SendResult,
  toV01Status,
  toV01Task,
} from './encode';
import { type Variant, variants } from './variants';

/**
 * Returns the dialect of A2A 0.1 or one of its variants, based on `base`. It also accepts `methods`, because the path
 * of a legacy system accepts every method of every version and responds in the format of that system.
 */
export function v01Dialect(key: Variant['key'], base: Dialect, methods: Methods = {}): Dialect {
  const variant = variants[key];
  return {
    ...base,
    key,
    methods: { ...methods, ...v01MethodsOf(variant) },
    sendResult: (result) =>
      'task' in result ? toV01SendResult(variant, result.task) : toV01Message(variant, result.message),
    taskResult: (task) => toV01Task(variant, task),
    listResult: ({ tasks, ...page }, includeArtifacts) => ({
      tasks: tasks.map((task) => toV01Task(variant, toListedTask(task, includeArtifacts))),
      ...page,
    }),
    snapshotEvent: (task) => toV01Task(variant, task),
    event: () => null,
    pushConfigResult: toV01PushConfig,
    error: variant.toError,
    hasHttpStatus: (code) => base.hasHttpStatus(code) && !variant.errorsWithStatus200.includes(code),
    hasNotifications: variant.hasNotifications,
    legacy: traitsOf(variant),
  };
}

function traitsOf(variant: Variant): LegacyTraits {
  return {
    ...variant.calls,
    inlinesFiles: variant.parts === 'inline-files',
    bareEvents: variant.frames === 'tasks' ? 'status' : undefined,
    openStream: (before, show = (task) => task) => openV01Stream(variant, before, show),
  };
}

/**
 * Encodes one stream. `before` is the task before the first entry, so that artifact indexes are stable across
 * reconnects. It is not modified. `show` maps a task to the id and members for this reader.
 */
function openV01Stream(
  variant: Variant,
  before: Task,
  show: (task: Task) => Task,
): (entry: StreamEntry) => JsonObject[] {
  const framesOf = variant.frames === 'tasks' ? taskFrames : updateFrames;
  let task = structuredClone(before);
  return (entry) => {
    if ('task' in entry) task = structuredClone(entry.task);
    else applyEvent(task, entry.event);
    return framesOf(variant, { task, entry, show });
  };
}

interface StreamUpdate {
  /** The task after the entry. */
  task: Task;
  entry: StreamEntry;
  show: (task: Task) => Task;
}

/** Returns the frames for Orloj: the whole task on every status change. */
function taskFrames(variant: Variant, { task, entry, show }: StreamUpdate): JsonObject[] {
  if ('event' in entry && statusOf(entry.event) === null) return [];
  return [toV01Task(variant, show(task))];
}

/** Returns the frames of A2A 0.1: TaskStatusUpdateEvent and TaskArtifactUpdateEvent. */
function updateFrames(variant: Variant, { task, entry, show }: StreamUpdate): JsonObject[] {
  const { id } = show(task);
  if ('task' in entry) {
    const artifacts = task.artifacts.map((artifact, index) => ({
      id,
      artifact: toV01Artifact(variant, artifact, index),
    }));
    return [...artifacts, ...statusFrames(variant, task, { id })];
  }
  const { event } = entry;
  if (event.type === 'artifact') {
    const { artifact, append, lastChunk, metadata } = event;
    const index = task.artifacts.findIndex(({ artifactId }) => artifactId === artifact.artifactId);
    const written = { ...toV01Artifact(variant, artifact, index), append, lastChunk };
    return [{ id, artifact: written, metadata: metadata && toV01Metadata(variant, metadata) }];
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
    status: toV01Status(variant, status),
    final: endsTurn(status.state),
    metadata: toV01Metadata(variant, { ...eventMetadata, ...originalState(variant, status.state) }),
  };
  const response = responseArtifact(variant, task);
  if (!response) return [frame];
  return [{ id, artifact: toV01Artifact(variant, response, task.artifacts.length) }, frame];
}
