import { isObject, type JsonObject, type JsonValue, textOf } from '../../../json';
import type { Artifact, Message, TaskState } from '../../core/model';
import { stateFromText } from '../states';
import { readArtifact, readMessage } from './read-part';

/** What an agent said, freed of its version's clothes. Ids are the agent's own. */
export type AgentItem =
  | {
      type: 'task';
      taskId: string;
      contextId?: string;
      state: TaskState;
      message: Message | null;
      artifacts: Artifact[];
      history: Message[];
    }
  | { type: 'message'; message: Message; taskId?: string; contextId?: string }
  | {
      type: 'status';
      taskId?: string;
      contextId?: string;
      state: TaskState;
      message: Message | null;
      metadata?: JsonObject;
    }
  | {
      type: 'artifact';
      taskId?: string;
      contextId?: string;
      artifact: Artifact;
      append: boolean;
      lastChunk: boolean;
    };

/**
 * Reads one result or stream event of an agent: A2A 1.0 (member tells the kind), 0.3 (`kind`), bare or from an envelope.
 * Null when it is none of them.
 */
export function readAgentResult(value: JsonValue, newId: () => string): AgentItem | null {
  if (!isObject(value)) return null;
  if (isObject(value.task)) return readTask(value.task, newId);
  if (isObject(value.message) && !value.kind && !value.status) return readReply(value.message, newId);
  if (isObject(value.statusUpdate)) return readStatus(value.statusUpdate, newId);
  if (isObject(value.artifactUpdate)) return readArtifactUpdate(value.artifactUpdate);
  switch (value.kind) {
    case 'task':
      return readTask(value, newId);
    case 'message':
      return readReply(value, newId);
    case 'status-update':
      return readStatus(value, newId);
    case 'artifact-update':
      return readArtifactUpdate(value);
    default:
      return readByMembers(value, newId);
  }
}

function readByMembers(value: JsonObject, newId: () => string): AgentItem | null {
  if (isObject(value.artifact)) return readArtifactUpdate(value);
  if (isObject(value.status)) return 'id' in value ? readTask(value, newId) : readStatus(value, newId);
  if (Array.isArray(value.parts)) return readReply(value, newId);
  return null;
}

function idsOf(value: JsonObject): { taskId?: string; contextId?: string } {
  return { taskId: textOf(value.taskId), contextId: textOf(value.contextId) };
}

function readTask(value: JsonObject, newId: () => string): AgentItem | null {
  const taskId = textOf(value.id);
  const status = isObject(value.status) ? value.status : {};
  const state = typeof status.state === 'string' ? stateFromText(status.state) : undefined;
  if (!taskId || !state) return null;
  const artifacts = Array.isArray(value.artifacts) ? value.artifacts : [];
  const history = Array.isArray(value.history) ? value.history : [];
  return {
    type: 'task',
    taskId,
    contextId: textOf(value.contextId),
    state,
    message: readMessage(status.message, newId),
    artifacts: artifacts.map(readArtifact).filter((artifact) => artifact !== null),
    history: history.map((message) => readMessage(message, newId)).filter((message) => message !== null),
  };
}

function readReply(value: JsonObject, newId: () => string): AgentItem | null {
  const message = readMessage(value, newId);
  return message ? { type: 'message', message: { ...message, role: 'agent' }, ...idsOf(value) } : null;
}

function readStatus(value: JsonObject, newId: () => string): AgentItem | null {
  const status = isObject(value.status) ? value.status : {};
  const state = typeof status.state === 'string' ? stateFromText(status.state) : undefined;
  if (!state) return null;
  const metadata = isObject(value.metadata) ? value.metadata : undefined;
  return { type: 'status', ...idsOf(value), state, message: readMessage(status.message, newId), metadata };
}

function readArtifactUpdate(value: JsonObject): AgentItem | null {
  const artifact = readArtifact(value.artifact, 0);
  if (!artifact) return null;
  const { append, lastChunk } = value;
  return { type: 'artifact', ...idsOf(value), artifact, append: append === true, lastChunk: lastChunk === true };
}
