import type { JsonObject, JsonValue } from '../../../json';
import type { TaskEvent } from '../../core/events';
import type { ArtifactChanges, Elicitation, Message, Task, TaskStatus, TimelineItem } from '../../core/model';
import type { Dialect } from '../dialect';
import { toV10Error } from '../encode-errors';
import { toV10Event, toV10Message, toV10Status, toV10Task } from '../v10/encode';

// The members that the draft of A2A 1.1 adds to those of 1.0. An int64 is a text in ProtoJSON.

/** Returns a message with the requests for input that it answers. */
export function toV11Message(message: Message): JsonObject {
  const { elicitationIds } = message;
  return elicitationIds ? { ...toV10Message(message), elicitationIds } : toV10Message(message);
}

function toV11Status(status: TaskStatus): JsonObject {
  const { elicitations } = status;
  return elicitations
    ? { ...toV10Status(status), elicitations: elicitations.map(toV11Elicitation) }
    : toV10Status(status);
}

function toV11Elicitation({ elicitationId, state, metadata }: Elicitation): JsonObject {
  return { elicitationId, state: `ELICITATION_STATE_${state.toUpperCase()}`, metadata };
}

function toV11TimelineEntry({ generation, message, status }: TimelineItem): JsonObject {
  return {
    message: message && toV11Message(message),
    status: status && toV11Status(status),
    generation: String(generation),
  };
}

/** Returns a task with its changes; `omitArtifacts` leaves out the member. */
function toV11Task(task: Task, options: { omitArtifacts?: boolean } = {}): JsonObject {
  const written = toV10Task(task, options);
  const { changes } = task;
  if (!changes) return written;
  const { generation, timeline, elicitations, artifacts } = changes;
  const { artifacts: writtenArtifacts } = written;
  return {
    ...written,
    status: toV11Status(changes.status ?? task.status),
    history: task.history.map(toV11Message),
    artifacts: Array.isArray(writtenArtifacts)
      ? writtenArtifacts.map((artifact, index) => withGenerations(artifact, artifacts.get(idAt(task, index))))
      : undefined,
    timeline: timeline.map(toV11TimelineEntry),
    elicitations: elicitations.size === 0 ? undefined : [...elicitations.values()].map(toV11Elicitation),
    generation: String(generation),
  };
}

function idAt({ artifacts }: Task, index: number): string {
  return artifacts[index]?.artifactId ?? '';
}

function withGenerations(artifact: JsonValue, changes: ArtifactChanges | undefined): JsonValue {
  if (!changes) return artifact;
  const { first, latest, isComplete } = changes;
  const endGeneration = isComplete ? String(latest) : undefined;
  return { ...(artifact as JsonObject), startGeneration: String(first), endGeneration };
}

/** Returns a StreamResponse; its update has the generation of the task after it. A message has none. */
export function toV11Event(
  event: TaskEvent,
  ids: { taskId: string; contextId: string },
  seq: number,
): JsonObject | null {
  const written = toV10Event(event, ids);
  const generation = String(seq);
  if (event.type === 'status') {
    const { statusUpdate } = written as { statusUpdate: JsonObject };
    return { statusUpdate: { ...statusUpdate, status: toV11Status(event.status), generation } };
  }
  if (event.type !== 'artifact') return written;
  const { artifactUpdate } = written as { artifactUpdate: JsonObject };
  return { artifactUpdate: { ...artifactUpdate, generation } };
}

/** The members of the dialect that differ from those of 1.0. */
export const v11Encoders = {
  cardShape: '1.1',
  sendResult: (result) =>
    'task' in result ? { task: toV11Task(result.task) } : { message: toV10Message(result.message) },
  taskResult: (task) => toV11Task(task),
  listResult: ({ tasks, ...page }, includeArtifacts) => ({
    tasks: tasks.map((task) => toV11Task(task, { omitArtifacts: !includeArtifacts })),
    ...page,
  }),
  snapshotEvent: (task) => ({ task: toV11Task(task) }),
  event: toV11Event,
  error: (error) => toV10Error(error, { generation_mismatch: { code: -32010, reason: 'TASK_GENERATION_MISMATCH' } }),
} satisfies Partial<Dialect>;
