import type { JsonObject } from '../../../json';
import {
  type Artifact,
  endsTurn,
  isInterrupted,
  type Message,
  type Part,
  type PushConfig,
  type Task,
  type TaskState,
} from '../../core/model';
import { withMediaType, wrapData } from '../part-metadata';
import type { Variant } from './variants';

/** Name of the artifact with the status message, for callers that read output only from artifacts. */
const responseName = 'response';

/** Encodes a task in a variant's format. Its id is the one that the caller uses. */
export function toV01Task(variant: Variant, task: Task): JsonObject {
  const shown = withOutput(variant, task);
  const { status, artifacts } = shown;
  return {
    id: shown.id,
    sessionId: variant.hasSession ? shown.contextId : undefined,
    status: toV01Status(variant, status),
    ...transcriptOf(variant, shown.history),
    artifacts: artifacts.map((artifact, index) => toV01Artifact(variant, artifact, index)),
    metadata:
      toV01Metadata(variant, { ...shown.metadata, ...originalState(variant, status.state) }) ??
      (variant.hasEmptyMetadata ? {} : undefined),
    createdAt: variant.times === 'all' && task.createdAt ? Date.parse(task.createdAt) : undefined,
  };
}

/** Returns the result of a send. The transcript for Society ends before the current turn; others contain everything. */
export function toV01SendResult(variant: Variant, task: Task): JsonObject {
  if (variant.transcript !== 'messages') return toV01Task(variant, task);
  const turn = task.history.findLastIndex(({ role }) => role === 'user');
  return {
    ...toV01Task(variant, task),
    messages: task.history.slice(0, Math.max(turn, 0)).map((message) => toV01Message(variant, message)),
  };
}

/** Returns a push configuration without its credentials. */
export function toV01PushConfig({ taskId, url, token, authentication }: PushConfig): JsonObject {
  const schemes = authentication && { schemes: [authentication.scheme] };
  return { id: taskId, pushNotificationConfig: { url, token, authentication: schemes } };
}

export function toV01Status(variant: Variant, { state, message, timestamp }: Task['status']): JsonObject {
  return {
    state: toV01State(variant, state),
    message: variant.statusMessage === 'text' ? textOfMessage(message) : message && toV01Message(variant, message),
    timestamp: variant.times === 'none' ? undefined : timestamp,
  };
}

export function toV01Artifact(variant: Variant, artifact: Artifact, index: number): JsonObject {
  const isPlain = variant.parts === 'text-only';
  return {
    name: artifact.name ?? (isPlain ? responseName : undefined),
    description: isPlain ? undefined : artifact.description,
    parts: artifact.parts.map((part) => toV01Part(variant, part)),
    index: isPlain ? undefined : index,
    metadata: variant.metadata === 'any' ? artifact.metadata : undefined,
  };
}

/** Returns metadata in the variant's format; undefined if empty. */
export function toV01Metadata(variant: Variant, metadata: JsonObject): JsonObject | undefined {
  if (variant.metadata === 'none' || Object.keys(metadata).length === 0) return undefined;
  if (variant.metadata === 'any') return metadata;
  const texts = Object.entries(metadata).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return Object.fromEntries(texts);
}

/** Returns the original state as metadata, if the variant does not have it. */
export function originalState(variant: Variant, state: TaskState): JsonObject {
  const written = toV01State(variant, state);
  return written === state || state === 'canceled' ? {} : { original_state: state };
}

/**
 * Returns an artifact with the status message, for callers that read output only from artifacts; null for other
 * variants.
 */
export function responseArtifact(variant: Variant, { status, artifacts }: Task): Artifact | null {
  const { state, message } = status;
  if (!message || (variant.output !== 'both' && variant.output !== 'artifacts')) return null;
  const isQuestion = !variant.hasQuestions && isInterrupted(state);
  if (!isQuestion && (state !== 'completed' || artifacts.length > 0)) return null;
  return { artifactId: responseName, name: responseName, parts: message.parts };
}

function withOutput(variant: Variant, task: Task): Task {
  const response = responseArtifact(variant, task);
  if (response) return { ...task, artifacts: [...task.artifacts, response] };
  const lacksMessage = variant.output === 'both' || variant.output === 'status';
  if (!lacksMessage || task.status.state !== 'completed' || task.status.message) return task;
  const parts = task.artifacts.flatMap((artifact) => artifact.parts);
  if (parts.length === 0) return task;
  const message: Message = { messageId: task.id, role: 'agent', parts };
  const history = variant.output === 'status' ? [...task.history, message] : task.history;
  return { ...task, status: { ...task.status, message }, history };
}

function transcriptOf(variant: Variant, history: Message[]): JsonObject {
  if (variant.transcript === 'messages') return { messages: history.map((message) => toV01Message(variant, message)) };
  if (variant.omitsEmptyHistory && history.length === 0) return {};
  return { history: history.map((message) => toV01Message(variant, message)) };
}

/** Encodes a message, which has no id in 0.1. */
export function toV01Message(variant: Variant, { role, parts, metadata }: Message): JsonObject {
  return {
    role,
    parts: parts.map((part) => toV01Part(variant, part)),
    metadata: variant.metadata === 'any' ? metadata : undefined,
  };
}

function textOfMessage(message: Message | undefined): string {
  return (message?.parts ?? []).map(textOfPart).join('\n');
}

function toV01State(variant: Variant, state: TaskState): string {
  if (state === 'canceled') return variant.canceled;
  if (state === 'rejected' && !variant.hasRejected) return 'failed';
  if (!variant.hasQuestions && endsTurn(state) && isInterrupted(state)) return 'completed';
  return state === 'auth-required' ? 'input-required' : state;
}

/** Encodes a part in a variant's format. An unsupported kind becomes equivalent text. */
function toV01Part({ parts }: Variant, part: Part): JsonObject {
  if (parts === 'text-only') return toTextPart(part);
  const { metadata } = part;
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text, metadata: withMediaType(part) };
    case 'data':
      if (parts === 'any-data') return { type: 'data', data: part.data, metadata: withMediaType(part) };
      return { type: 'data', ...wrapData(part) };
    case 'bytes': {
      const name = part.filename ?? (parts === 'inline-files' ? 'file' : undefined);
      const mimeType = part.mediaType ?? (parts === 'inline-files' ? 'application/octet-stream' : undefined);
      return { type: 'file', file: { name, mimeType, bytes: part.bytes }, metadata };
    }
    case 'uri':
      if (parts === 'inline-files') return { type: 'text', text: linkOf(part, part.uri), metadata };
      return { type: 'file', file: { name: part.filename, mimeType: part.mediaType, uri: part.uri }, metadata };
  }
}

/** Returns a part as text. The bytes of a file become a `data:` URL (RFC 2397). */
function textOfPart(part: Part): string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'data':
      return JSON.stringify(part.data);
    case 'uri':
      return linkOf(part, part.uri);
    case 'bytes': {
      const base64 = part.bytes.replaceAll('-', '+').replaceAll('_', '/');
      return linkOf(part, `data:${part.mediaType ?? 'application/octet-stream'};base64,${base64}`);
    }
  }
}

function toTextPart(part: Part): JsonObject {
  return { type: 'text', text: textOfPart(part), data: part.kind === 'data' ? part.data : undefined };
}

function linkOf({ filename, mediaType }: Part, link: string): string {
  return `[file ${filename ?? 'without a name'}${mediaType ? ` (${mediaType})` : ''}] ${link}`;
}
