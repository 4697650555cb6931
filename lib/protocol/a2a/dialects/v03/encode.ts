import { isObject, type JsonObject } from '../../../json';
import type { TaskEvent } from '../../core/events';
import { type Artifact, endsTurn, type Message, type Part, type Task, type TaskStatus } from '../../core/model';
import type { PushConfig } from '../../core/push';

/** A part as A2A 0.3 writes it. Data that is not an object is wrapped: 0.3 knows objects alone. */
function toV03Part(part: Part): JsonObject {
  const { metadata, filename: name, mediaType: mimeType } = part;
  switch (part.kind) {
    case 'text':
      return { kind: 'text', text: part.text, metadata };
    case 'data':
      return { kind: 'data', data: isObject(part.data) ? part.data : { value: part.data }, metadata };
    case 'bytes':
      return { kind: 'file', file: { bytes: part.bytes, name, mimeType }, metadata };
    case 'uri':
      return { kind: 'file', file: { uri: part.uri, name, mimeType }, metadata };
  }
}

/** A message with the ids of its task. */
export function toV03Message(message: Message): JsonObject {
  const { messageId, role, contextId, taskId, referenceTaskIds, extensions, metadata } = message;
  const parts = message.parts.map(toV03Part);
  return { kind: 'message', messageId, role, parts, contextId, taskId, referenceTaskIds, extensions, metadata };
}

// Member by member: copying what is left over costs more than writing it, and every piece of a stream comes by here.
function toV03Artifact({ artifactId, name, description, parts, extensions, metadata }: Artifact): JsonObject {
  return { artifactId, name, description, parts: parts.map(toV03Part), extensions, metadata };
}

function toV03Status({ state, message, timestamp }: TaskStatus): JsonObject {
  return { state, message: message && toV03Message(message), timestamp };
}

export function toV03Task({ id, contextId, status, artifacts, history, metadata }: Task): JsonObject {
  return {
    kind: 'task',
    id,
    contextId,
    status: toV03Status(status),
    artifacts: artifacts.map(toV03Artifact),
    history: history.map(toV03Message),
    metadata,
  };
}

/** An event of a stream; null for the caller's own messages, which 0.3 streams do not repeat. */
export function toV03Event(event: TaskEvent, ids: { taskId: string; contextId: string }): JsonObject | null {
  switch (event.type) {
    case 'message':
      return null;
    case 'reply':
      return toV03Message(event.message);
    case 'status': {
      const { status, metadata } = event;
      return { kind: 'status-update', ...ids, status: toV03Status(status), final: endsTurn(status.state), metadata };
    }
    case 'artifact': {
      const { artifact, append, lastChunk, metadata } = event;
      return { kind: 'artifact-update', ...ids, artifact: toV03Artifact(artifact), append, lastChunk, metadata };
    }
  }
}

/** A TaskPushNotificationConfig without its credentials. */
export function toV03PushConfig({ id, taskId, url, token, authentication }: PushConfig): JsonObject {
  const schemes = authentication && { schemes: [authentication.scheme] };
  return { taskId, pushNotificationConfig: { id, url, token, authentication: schemes } };
}
