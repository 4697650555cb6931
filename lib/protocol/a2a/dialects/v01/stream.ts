import type { JsonObject } from '../../../json';
import { applyEvent, statusOf, type TaskEvent } from '../../core/events';
import { endsTurn, type Task } from '../../core/model';
import { originalState, responseArtifact, writeArtifact, writeMetadata, writeStatus, writeTask } from './encode';
import type { Variant } from './variants';

/** What a stream carries: the task as it stands, or something that happened to it. */
export type StreamEntry = { task: Task } | { event: TaskEvent };

/**
 * Writes one stream. `before` is the task as it stood before its first entry, so that artifacts keep their numbers when a
 * reader comes back; it is not changed. `show` gives a task the id and the members that this reader is to see.
 */
export function openV01Stream(
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

/** Orloj: the whole task at every change of its status. */
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
  { id, eventMetadata: told }: { id: string; eventMetadata?: JsonObject },
): JsonObject[] {
  const { status } = task;
  const frame = {
    id,
    status: writeStatus(variant, status),
    final: endsTurn(status.state),
    metadata: writeMetadata(variant, { ...told, ...originalState(variant, status.state) }),
  };
  const response = responseArtifact(variant, task);
  if (!response) return [frame];
  return [{ id, artifact: writeArtifact(variant, response, task.artifacts.length) }, frame];
}
