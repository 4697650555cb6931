import type { JsonObject } from '../../../json';
import { applyEvent, statusOf, type TaskEvent } from '../../core/events';
import { endsTurn, type Task } from '../../core/model';
import { originalState, responseArtifact, writeArtifact, writeMetadata, writeStatus, writeTask } from './encode';
import type { Flavour } from './flavours';

/** What a stream carries: the task as it stands, or something that happened to it. */
export type StreamEntry = { task: Task } | { event: TaskEvent };

/**
 * Writes one stream. `before` is the task as it stood before its first entry, so that artifacts keep their numbers when a
 * reader comes back; it is not changed. `show` gives a task the id and the members that this reader is to see.
 */
export function openV01Stream(
  flavour: Flavour,
  before: Task,
  show: (task: Task) => Task,
): (entry: StreamEntry) => JsonObject[] {
  const write = flavour.frames === 'tasks' ? writeStates : writeUpdates;
  let task = structuredClone(before);
  return (entry) => {
    if ('task' in entry) task = structuredClone(entry.task);
    else applyEvent(task, entry.event);
    return write(flavour, { task, entry, show });
  };
}

interface Moment {
  /** The task after the entry. */
  task: Task;
  entry: StreamEntry;
  show: (task: Task) => Task;
}

/** Orloj: the whole task at every change of its status. */
function writeStates(flavour: Flavour, { task, entry, show }: Moment): JsonObject[] {
  if ('event' in entry && statusOf(entry.event) === null) return [];
  return [writeTask(flavour, show(task))];
}

/** A2A 0.1: TaskStatusUpdateEvent and TaskArtifactUpdateEvent. */
function writeUpdates(flavour: Flavour, { task, entry, show }: Moment): JsonObject[] {
  const { id } = show(task);
  if ('task' in entry) {
    const artifacts = task.artifacts.map((artifact, index) => ({
      id,
      artifact: writeArtifact(flavour, artifact, index),
    }));
    return [...artifacts, ...statusFrames(flavour, task, { id })];
  }
  const { event } = entry;
  if (event.type === 'artifact') {
    const { artifact, append, lastChunk, metadata } = event;
    const index = task.artifacts.findIndex(({ artifactId }) => artifactId === artifact.artifactId);
    const written = { ...writeArtifact(flavour, artifact, index), append, lastChunk };
    return [{ id, artifact: written, metadata: metadata && writeMetadata(flavour, metadata) }];
  }
  const status = statusOf(event);
  if (!status) return [];
  return statusFrames(flavour, { ...task, status }, { id, told: event.type === 'status' ? event.metadata : undefined });
}

function statusFrames(flavour: Flavour, task: Task, { id, told }: { id: string; told?: JsonObject }): JsonObject[] {
  const { status } = task;
  const frame = {
    id,
    status: writeStatus(flavour, status),
    final: endsTurn(status.state),
    metadata: writeMetadata(flavour, { ...told, ...originalState(flavour, status.state) }),
  };
  const response = responseArtifact(flavour, task);
  if (!response) return [frame];
  return [{ id, artifact: writeArtifact(flavour, response, task.artifacts.length) }, frame];
}
