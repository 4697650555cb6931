import type { JsonObject } from '../../../json';
import type { TaskEvent } from '../../core/events';
import {
  type Artifact,
  endsTurn,
  type Message,
  type Part,
  type PushConfig,
  type Task,
  type TaskStatus,
} from '../../core/model';
import { withMediaType, wrapData } from '../part-metadata';
import { toV10State } from '../states';

/** Returns a part in A2A 0.3. */
function toV03Part(part: Part): JsonObject {
  const { metadata, filename: name, mediaType: mimeType } = part;
  switch (part.kind) {
    case 'text':
      return { kind: 'text', text: part.text, metadata: withMediaType(part) };
    case 'data':
      return { kind: 'data', ...wrapData(part) };
    case 'bytes':
      return { kind: 'file', file: { bytes: part.bytes, name, mimeType }, metadata };
    case 'uri':
      return { kind: 'file', file: { uri: part.uri, name, mimeType }, metadata };
  }
}

/** Encodes a message with the ids of its task. */
export function toV03Message(message: Message): JsonObject {
  const { messageId, role, contextId, taskId, referenceTaskIds, extensions, metadata } = message;
  const parts = message.parts.map(toV03Part);
  return { kind: 'message', messageId, role, parts, contextId, taskId, referenceTaskIds, extensions, metadata };
}

// Members are listed individually, because a rest copy takes longer than the serialization of a stream chunk.
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

/** Encodes an event of a stream; null for the caller's own messages, which 0.3 streams do not repeat. */
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

/** Returns a TaskPushNotificationConfig without its credentials. */
export function toV03PushConfig({ id, taskId, url, token, authentication }: PushConfig): JsonObject {
  const schemes = authentication && { schemes: [authentication.scheme] };
  return { taskId, pushNotificationConfig: { id, url, token, authentication: schemes } };
}

// A2A 0.3's HTTP binding uses the ProtoJSON of its own a2a.proto: enum names, `content` for a message's parts, and
// files as `fileWithBytes` or `fileWithUri`.

function toV03ProtoPart(part: Part): JsonObject {
  const { metadata, filename: name, mediaType: mimeType } = part;
  switch (part.kind) {
    case 'text':
      return { text: part.text, metadata: withMediaType(part) };
    case 'data': {
      const wrapped = wrapData(part);
      return { data: { data: wrapped.data }, metadata: wrapped.metadata };
    }
    case 'bytes':
      return { file: { fileWithBytes: part.bytes, mimeType, name }, metadata };
    case 'uri':
      return { file: { fileWithUri: part.uri, mimeType, name }, metadata };
  }
}

export function toV03ProtoMessage({ role, parts, elicitationIds: _, ...message }: Message): JsonObject {
  return { ...message, role: role === 'user' ? 'ROLE_USER' : 'ROLE_AGENT', content: parts.map(toV03ProtoPart) };
}

function toV03ProtoArtifact({ parts, ...artifact }: Artifact): JsonObject {
  return { ...artifact, parts: parts.map(toV03ProtoPart) };
}

/** Encodes a status; 0.3's proto spells CANCELLED with two l. */
function toV03ProtoStatus({ state, message, timestamp }: TaskStatus): JsonObject {
  const name = state === 'canceled' ? 'TASK_STATE_CANCELLED' : toV10State(state);
  return { state: name, message: message && toV03ProtoMessage(message), timestamp };
}

export function toV03ProtoTask({ id, contextId, status, artifacts, history, metadata }: Task): JsonObject {
  return {
    id,
    contextId,
    status: toV03ProtoStatus(status),
    artifacts: artifacts.map(toV03ProtoArtifact),
    history: history.map(toV03ProtoMessage),
    metadata,
  };
}

/** Returns a StreamResponse of 0.3; null for the caller's own messages. */
export function toV03ProtoEvent(event: TaskEvent, ids: { taskId: string; contextId: string }): JsonObject | null {
  switch (event.type) {
    case 'message':
      return null;
    case 'reply':
      return { message: toV03ProtoMessage(event.message) };
    case 'status': {
      const { status, metadata } = event;
      const final = endsTurn(status.state);
      return { statusUpdate: { ...ids, status: toV03ProtoStatus(status), final, metadata } };
    }
    case 'artifact': {
      const { artifact, append, lastChunk, metadata } = event;
      return { artifactUpdate: { ...ids, artifact: toV03ProtoArtifact(artifact), append, lastChunk, metadata } };
    }
  }
}

export function toV03ProtoPushConfig({ id, taskId, url, token, authentication }: PushConfig): JsonObject {
  const schemes = authentication && { schemes: [authentication.scheme] };
  return {
    name: `tasks/${taskId}/pushNotificationConfigs/${id}`,
    pushNotificationConfig: { id, url, token, authentication: schemes },
  };
}
