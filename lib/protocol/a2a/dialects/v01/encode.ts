import type { JsonObject } from '../../../json';
import { type Artifact, endsTurn, isInterrupted, type Message, type Task, type TaskState } from '../../core/model';
import type { PushConfig } from '../../core/push';
import type { Flavour } from './flavours';
import { textOfPart, writePart } from './write-part';

/** The name of an artifact that Parley makes of an agent's last word, for callers who look for output there alone. */
const responseName = 'response';

/** The task as this variation's callers read it. Its id is the one that the caller is to know it by. */
export function writeTask(flavour: Flavour, task: Task): JsonObject {
  const shown = withOutput(flavour, task);
  const { status, artifacts } = shown;
  return {
    id: shown.id,
    sessionId: flavour.hasSession ? shown.contextId : undefined,
    status: writeStatus(flavour, status),
    ...transcriptOf(flavour, shown.history),
    artifacts: artifacts.map((artifact, index) => writeArtifact(flavour, artifact, index)),
    metadata:
      writeMetadata(flavour, { ...shown.metadata, ...originalState(flavour, status.state) }) ??
      (flavour.key === 'agentos' ? {} : undefined),
    createdAt: flavour.times === 'all' && task.createdAt ? Date.parse(task.createdAt) : undefined,
  };
}

/** The answer to a send. Society's transcript holds what was said before the turn that it answers, others' hold all. */
export function writeSent(flavour: Flavour, task: Task): JsonObject {
  if (flavour.transcript !== 'messages') return writeTask(flavour, task);
  const turn = task.history.findLastIndex(({ role }) => role === 'user');
  return {
    ...writeTask(flavour, task),
    messages: task.history.slice(0, Math.max(turn, 0)).map((message) => writeMessage(flavour, message)),
  };
}

/** Where a task's updates go; the credentials are never shown again. */
export function writePushConfig({ taskId, url, token, authentication }: PushConfig): JsonObject {
  const schemes = authentication && { schemes: [authentication.scheme] };
  return { id: taskId, pushNotificationConfig: { url, token, authentication: schemes } };
}

export function writeStatus(flavour: Flavour, { state, message, timestamp }: Task['status']): JsonObject {
  return {
    state: writeState(flavour, state),
    message: flavour.statusMessage === 'text' ? textOfMessage(message) : message && writeMessage(flavour, message),
    timestamp: flavour.times === 'none' ? undefined : timestamp,
  };
}

export function writeArtifact(flavour: Flavour, artifact: Artifact, index: number): JsonObject {
  const isPlain = flavour.parts === 'text-only';
  return {
    name: artifact.name ?? (isPlain ? responseName : undefined),
    description: isPlain ? undefined : artifact.description,
    parts: artifact.parts.map((part) => writePart(flavour, part)),
    index: isPlain ? undefined : index,
    metadata: flavour.metadata === 'any' ? artifact.metadata : undefined,
  };
}

/** Metadata as the variation knows it; absent when there is none. */
export function writeMetadata(flavour: Flavour, metadata: JsonObject): JsonObject | undefined {
  if (flavour.metadata === 'none' || Object.keys(metadata).length === 0) return undefined;
  if (flavour.metadata === 'any') return metadata;
  const texts = Object.entries(metadata).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return Object.fromEntries(texts);
}

/** The state that stands behind one the variation lacks, for metadata. */
export function originalState(flavour: Flavour, state: TaskState): JsonObject {
  const written = writeState(flavour, state);
  return written === state || state === 'canceled' ? {} : { original_state: state };
}

/** The artifact that says what the status message says; null where that is not where callers look for it. */
export function responseArtifact(flavour: Flavour, { status, artifacts }: Task): Artifact | null {
  const { state, message } = status;
  if (!message || (flavour.output !== 'both' && flavour.output !== 'artifacts')) return null;
  const isQuestion = !flavour.hasQuestions && isInterrupted(state);
  if (!isQuestion && (state !== 'completed' || artifacts.length > 0)) return null;
  return { artifactId: responseName, name: responseName, parts: message.parts };
}

function withOutput(flavour: Flavour, task: Task): Task {
  const response = responseArtifact(flavour, task);
  if (response) return { ...task, artifacts: [...task.artifacts, response] };
  const lacksMessage = flavour.output === 'both' || flavour.output === 'status';
  if (!lacksMessage || task.status.state !== 'completed' || task.status.message) return task;
  const parts = task.artifacts.flatMap((artifact) => artifact.parts);
  if (parts.length === 0) return task;
  const message: Message = { messageId: task.id, role: 'agent', parts };
  const history = flavour.output === 'status' ? [...task.history, message] : task.history;
  return { ...task, status: { ...task.status, message }, history };
}

function transcriptOf(flavour: Flavour, history: Message[]): JsonObject {
  if (flavour.transcript === 'messages') return { messages: history.map((message) => writeMessage(flavour, message)) };
  if (flavour.key === 'orloj' && history.length === 0) return {};
  return { history: history.map((message) => writeMessage(flavour, message)) };
}

/** A message; 0.1 has no ids for them. */
export function writeMessage(flavour: Flavour, { role, parts, metadata }: Message): JsonObject {
  return {
    role,
    parts: parts.map((part) => writePart(flavour, part)),
    metadata: flavour.metadata === 'any' ? metadata : undefined,
  };
}

function textOfMessage(message: Message | undefined): string {
  return (message?.parts ?? []).map(textOfPart).join('\n');
}

function writeState(flavour: Flavour, state: TaskState): string {
  if (state === 'canceled') return flavour.canceled;
  if (state === 'rejected' && !flavour.hasRejected) return 'failed';
  if (!flavour.hasQuestions && endsTurn(state) && isInterrupted(state)) return 'completed';
  return state === 'auth-required' ? 'input-required' : state;
}
