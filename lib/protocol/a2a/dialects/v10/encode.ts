import type { JsonObject } from '../../../json';
import type { TaskEvent } from '../../core/events';
import type { Artifact, Message, Part, PushConfig, Task, TaskStatus } from '../../core/model';
import { toV10State } from '../states';

/** Returns a part in ProtoJSON: its content member is its kind. */
function toV10Part(part: Part): JsonObject {
  const { filename, mediaType, metadata } = part;
  switch (part.kind) {
    case 'text':
      return { text: part.text, filename, mediaType, metadata };
    case 'data':
      return { data: part.data, filename, mediaType, metadata };
    case 'bytes':
      return { raw: part.bytes, filename, mediaType, metadata };
    case 'uri':
      return { url: part.uri, filename, mediaType, metadata };
  }
}

export function toV10Message({ role, parts, elicitationIds: _, ...message }: Message): JsonObject {
  return { ...message, role: role === 'user' ? 'ROLE_USER' : 'ROLE_AGENT', parts: parts.map(toV10Part) };
}

// Members are listed individually, because a rest copy takes longer than the serialization of a stream chunk.
function toV10Artifact({ artifactId, name, description, parts, extensions, metadata }: Artifact): JsonObject {
  return { artifactId, name, description, parts: parts.map(toV10Part), extensions, metadata };
}

export function toV10Status({ state, message, timestamp }: TaskStatus): JsonObject {
  return { state: toV10State(state), message: message && toV10Message(message), timestamp };
}

/** Returns a task; `omitArtifacts` leaves out the member (1.0 §3.1.4). */
export function toV10Task(task: Task, options: { omitArtifacts?: boolean } = {}): JsonObject {
  return {
    id: task.id,
    contextId: task.contextId,
    status: toV10Status(task.status),
    artifacts: options.omitArtifacts ? undefined : task.artifacts.map(toV10Artifact),
    history: task.history.map(toV10Message),
    metadata: task.metadata,
  };
}

/** Returns a StreamResponse; null for the caller's own messages. */
export function toV10Event(event: TaskEvent, ids: { taskId: string; contextId: string }): JsonObject | null {
  switch (event.type) {
    case 'message':
      return null;
    case 'reply':
      return { message: toV10Message(event.message) };
    case 'status':
      return { statusUpdate: { ...ids, status: toV10Status(event.status), metadata: event.metadata } };
    case 'artifact': {
      const { artifact, append, lastChunk, metadata } = event;
      return { artifactUpdate: { ...ids, artifact: toV10Artifact(artifact), append, lastChunk, metadata } };
    }
  }
}

/** Returns a TaskPushNotificationConfig without its credentials. */
export function toV10PushConfig({ id, taskId, url, token, authentication }: PushConfig): JsonObject {
  return { id, taskId, url, token, authentication: authentication && { scheme: authentication.scheme } };
}
