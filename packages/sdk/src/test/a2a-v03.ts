import type { Artifact, Message, Part, StreamEvent, TaskState, TaskStatus } from '../wire.js';

// The objects of A2A 0.3 that differ from those of 1.0: `kind` instead of the member's name, and different names of
// states.

type JsonObject = Record<string, unknown>;

/** Returns a message of A2A 0.3. */
export function toV03Message(message: Message): JsonObject {
  const { role, parts, ...same } = message;
  return { kind: 'message', role: role === 'ROLE_USER' ? 'user' : 'agent', parts: parts.map(toV03Part), ...same };
}

// 0.3 has a media type for files only: A2UI writes that of text and data as `mimeType` of the metadata. Data is an
// object: the official SDKs wrap other data in `value` and mark it.
const wrappedKey = 'data_part_compat';

function toV03Part({ text, raw, url, data, filename: name, mediaType: mimeType, metadata }: Part): JsonObject {
  const typed = mimeType ? { metadata: { mimeType, ...metadata } } : metadata && { metadata };
  if (text !== undefined) return { kind: 'text', text, ...typed };
  if (data !== undefined && isObject(data)) return { kind: 'data', data, ...typed };
  if (data !== undefined) {
    return { kind: 'data', data: { value: data }, metadata: { ...typed?.metadata, [wrappedKey]: true } };
  }
  const more = metadata && { metadata };
  const content = raw === undefined ? { uri: url } : { bytes: raw };
  return { kind: 'file', file: { ...content, ...(name && { name }), ...(mimeType && { mimeType }) }, ...more };
}

/** Converts a result or stream event of A2A 0.3 to an event of 1.0; null for any other value. */
export function fromV03Event(value: JsonObject): StreamEvent | null {
  const ids = { taskId: String(value.taskId ?? ''), contextId: String(value.contextId ?? '') };
  const more = isObject(value.metadata) ? { metadata: value.metadata } : {};
  switch (value.kind) {
    case 'message':
      return { message: fromMessage(value) };
    case 'task': {
      const artifacts = listOf(value.artifacts).map(fromArtifact);
      const { contextId } = ids;
      return { task: { id: String(value.id), contextId, status: fromStatus(value.status), artifacts, ...more } };
    }
    case 'status-update':
      return { statusUpdate: { ...ids, status: fromStatus(value.status), ...more } };
    case 'artifact-update': {
      const { append, lastChunk } = value;
      const artifact = fromArtifact(value.artifact);
      return { artifactUpdate: { ...ids, artifact, append: append === true, lastChunk: lastChunk === true, ...more } };
    }
    default:
      return null;
  }
}

function fromStatus(value: unknown): TaskStatus {
  const { state, message } = objectOf(value);
  const name = `TASK_STATE_${String(state).toUpperCase().replace('-', '_')}` as TaskState;
  return { state: name, ...(message !== undefined && { message: fromMessage(message) }) };
}

function fromMessage(value: unknown): Message {
  const { kind: _kind, role, parts, messageId, ...same } = objectOf(value);
  return {
    ...same,
    messageId: String(messageId ?? crypto.randomUUID()),
    role: role === 'user' ? 'ROLE_USER' : 'ROLE_AGENT',
    parts: listOf(parts).map(fromPart),
  };
}

function fromArtifact(value: unknown): Artifact {
  const { artifactId, parts, ...same } = objectOf(value);
  return { ...same, artifactId: String(artifactId), parts: listOf(parts).map(fromPart) };
}

function fromPart(value: unknown): Part {
  const { kind, text, data, file, metadata } = objectOf(value);
  const more = metadata === undefined ? {} : { metadata: objectOf(metadata) };
  const mediaType = more.metadata?.mimeType;
  const typed = typeof mediaType === 'string' && mediaType ? { ...more, mediaType } : more;
  if (kind === 'data') return { ...typed, ...unwrapData(objectOf(data), more.metadata) };
  if (kind !== 'file') return { text: String(text ?? ''), ...typed };
  const { bytes, uri, name, mimeType } = objectOf(file) as Record<string, string | undefined>;
  const content = bytes === undefined ? { url: uri } : { raw: bytes };
  return { ...content, ...(name && { filename: name }), ...(mimeType && { mediaType: mimeType }), ...more };
}

function unwrapData(data: JsonObject, metadata: JsonObject = {}): Pick<Part, 'data' | 'metadata'> {
  const { [wrappedKey]: isWrapped, ...others } = metadata;
  if (isWrapped !== true || !('value' in data)) return { data };
  return { data: data.value, metadata: Object.keys(others).length === 0 ? undefined : others };
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? { ...value } : {};
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Converts an event of A2A 1.0 to one of 0.3. `final` marks the last event of a stream. */
export function toV03Event(event: StreamEvent, final = false): JsonObject {
  if ('message' in event) return toV03Message(event.message);
  if ('task' in event) {
    const { status, artifacts = [], history = [], ...same } = event.task;
    const converted = { status: toV03Status(status), artifacts: artifacts.map(toV03Artifact) };
    return { kind: 'task', ...same, ...converted, history: history.map(toV03Message) };
  }
  if ('statusUpdate' in event) {
    const { status, ...same } = event.statusUpdate;
    return { kind: 'status-update', ...same, status: toV03Status(status), final };
  }
  const { artifact, ...same } = event.artifactUpdate;
  return { kind: 'artifact-update', ...same, artifact: toV03Artifact(artifact) };
}

function toV03Status({ state, message, ...same }: TaskStatus): JsonObject {
  const name = state.replace('TASK_STATE_', '').toLowerCase().replace('_', '-');
  return { ...same, state: name, ...(message && { message: toV03Message(message) }) };
}

function toV03Artifact({ parts, ...same }: Artifact): JsonObject {
  return { ...same, parts: parts.map(toV03Part) };
}

/** Reads a message of A2A 0.3. */
export function fromV03Message(value: unknown): Message {
  return fromMessage(value);
}
