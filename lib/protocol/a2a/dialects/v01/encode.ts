import type { JsonObject } from '../../../json';
import { type Artifact, endsTurn, isInterrupted, type Message, type Task, type TaskState } from '../../core/model';
import type { PushConfig } from '../../core/push';
import type { Variant } from './variants';
import { textOfPart, writePart } from './write-part';

/** The name of an artifact that Parley makes of an agent's last word, for callers who look for output there alone. */
const responseName = 'response';

/** The task as this variation's callers read it. Its id is the one that the caller is to know it by. */
export function writeTask(variant: Variant, task: Task): JsonObject {
  const shown = withOutput(variant, task);
  const { status, artifacts } = shown;
  return {
    id: shown.id,
    sessionId: variant.hasSession ? shown.contextId : undefined,
    status: writeStatus(variant, status),
    ...transcriptOf(variant, shown.history),
    artifacts: artifacts.map((artifact, index) => writeArtifact(variant, artifact, index)),
    metadata:
      writeMetadata(variant, { ...shown.metadata, ...originalState(variant, status.state) }) ??
      (variant.key === 'agentos' ? {} : undefined),
    createdAt: variant.times === 'all' && task.createdAt ? Date.parse(task.createdAt) : undefined,
  };
}

/** The answer to a send. Society's transcript holds what was said before the turn that it answers, others' hold all. */
export function writeSendResult(variant: Variant, task: Task): JsonObject {
  if (variant.transcript !== 'messages') return writeTask(variant, task);
  const turn = task.history.findLastIndex(({ role }) => role === 'user');
  return {
    ...writeTask(variant, task),
    messages: task.history.slice(0, Math.max(turn, 0)).map((message) => writeMessage(variant, message)),
  };
}

/** Where a task's updates go; the credentials are never shown again. */
export function writePushConfig({ taskId, url, token, authentication }: PushConfig): JsonObject {
  const schemes = authentication && { schemes: [authentication.scheme] };
  return { id: taskId, pushNotificationConfig: { url, token, authentication: schemes } };
}

export function writeStatus(variant: Variant, { state, message, timestamp }: Task['status']): JsonObject {
  return {
    state: writeState(variant, state),
    message: variant.statusMessage === 'text' ? textOfMessage(message) : message && writeMessage(variant, message),
    timestamp: variant.times === 'none' ? undefined : timestamp,
  };
}

export function writeArtifact(variant: Variant, artifact: Artifact, index: number): JsonObject {
  const isPlain = variant.parts === 'text-only';
  return {
    name: artifact.name ?? (isPlain ? responseName : undefined),
    description: isPlain ? undefined : artifact.description,
    parts: artifact.parts.map((part) => writePart(variant, part)),
    index: isPlain ? undefined : index,
    metadata: variant.metadata === 'any' ? artifact.metadata : undefined,
  };
}

/** Metadata as the variation knows it; absent when there is none. */
export function writeMetadata(variant: Variant, metadata: JsonObject): JsonObject | undefined {
  if (variant.metadata === 'none' || Object.keys(metadata).length === 0) return undefined;
  if (variant.metadata === 'any') return metadata;
  const texts = Object.entries(metadata).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return Object.fromEntries(texts);
}

/** The state that stands behind one the variation lacks, for metadata. */
export function originalState(variant: Variant, state: TaskState): JsonObject {
  const written = writeState(variant, state);
  return written === state || state === 'canceled' ? {} : { original_state: state };
}

/** The artifact that says what the status message says; null where that is not where callers look for it. */
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
  if (variant.transcript === 'messages') return { messages: history.map((message) => writeMessage(variant, message)) };
  if (variant.key === 'orloj' && history.length === 0) return {};
  return { history: history.map((message) => writeMessage(variant, message)) };
}

/** A message; 0.1 has no ids for them. */
export function writeMessage(variant: Variant, { role, parts, metadata }: Message): JsonObject {
  return {
    role,
    parts: parts.map((part) => writePart(variant, part)),
    metadata: variant.metadata === 'any' ? metadata : undefined,
  };
}

function textOfMessage(message: Message | undefined): string {
  return (message?.parts ?? []).map(textOfPart).join('\n');
}

function writeState(variant: Variant, state: TaskState): string {
  if (state === 'canceled') return variant.canceled;
  if (state === 'rejected' && !variant.hasRejected) return 'failed';
  if (!variant.hasQuestions && endsTurn(state) && isInterrupted(state)) return 'completed';
  return state === 'auth-required' ? 'input-required' : state;
}
