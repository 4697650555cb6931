import { isObject, type JsonObject } from '../../../json';
import type { TaskEvent } from '../../core/events';
import { type Artifact, endsTurn, type Message, type Part, type Task, type TaskStatus } from '../../core/model';
import type { PushConfig } from '../../core/push';
import { toV10State } from '../states';

// A2A 0.3's HTTP binding writes the ProtoJSON of its own a2a.proto: enum names, `content` for a message's parts, and
// files by `fileWithBytes` or `fileWithUri`.

export function toRestPart(part: Part): JsonObject {
  const { metadata, filename: name, mediaType: mimeType } = part;
  switch (part.kind) {
    case 'text':
      return { text: part.text, metadata };
    case 'data':
      return { data: { data: isObject(part.data) ? part.data : { value: part.data } }, metadata };
    case 'bytes':
      return { file: { fileWithBytes: part.bytes, mimeType, name }, metadata };
    case 'uri':
      return { file: { fileWithUri: part.uri, mimeType, name }, metadata };
  }
}

export function toRestMessage({ role, parts, ...message }: Message): JsonObject {
  return { ...message, role: role === 'user' ? 'ROLE_USER' : 'ROLE_AGENT', content: parts.map(toRestPart) };
}

function toRestArtifact({ parts, ...artifact }: Artifact): JsonObject {
  return { ...artifact, parts: parts.map(toRestPart) };
}

/** 0.3's proto spells the canceled state with two l. */
function toRestStatus({ state, message, timestamp }: TaskStatus): JsonObject {
  const name = state === 'canceled' ? 'TASK_STATE_CANCELLED' : toV10State(state);
  return { state: name, message: message && toRestMessage(message), timestamp };
}

export function toRestTask({ id, contextId, status, artifacts, history, metadata }: Task): JsonObject {
  return {
    id,
    contextId,
    status: toRestStatus(status),
    artifacts: artifacts.map(toRestArtifact),
    history: history.map(toRestMessage),
    metadata,
  };
}

/** A StreamResponse of 0.3; null for the caller's own messages. */
export function toRestEvent(event: TaskEvent, ids: { taskId: string; contextId: string }): JsonObject | null {
  switch (event.type) {
    case 'message':
      return null;
    case 'reply':
      return { message: toRestMessage(event.message) };
    case 'status': {
      const { status, metadata } = event;
      const final = endsTurn(status.state);
      return { statusUpdate: { ...ids, status: toRestStatus(status), final, metadata } };
    }
    case 'artifact': {
      const { artifact, append, lastChunk, metadata } = event;
      return { artifactUpdate: { ...ids, artifact: toRestArtifact(artifact), append, lastChunk, metadata } };
    }
  }
}

export function toRestPushConfig({ id, taskId, url, token, authentication }: PushConfig): JsonObject {
  const schemes = authentication && { schemes: [authentication.scheme] };
  return {
    name: `tasks/${taskId}/pushNotificationConfigs/${id}`,
    pushNotificationConfig: { id, url, token, authentication: schemes },
  };
}
