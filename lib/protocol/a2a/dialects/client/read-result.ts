import { isObject, type JsonObject, type JsonValue, nonEmptyString } from '../../../json';
import type { CallableVersion } from '../../core/card';
import { type Artifact, endsTurn, type Message, type TaskState } from '../../core/model';
import { stateFromText } from '../states';
import type { DataTexts } from './data-texts';
import { type ReadOptions, readArtifact, readArtifacts, readMessage } from './read-part';

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

/** How the agent speaks, where it matters for reading. */
export interface AgentWire {
  protocolVersion: CallableVersion;
  binding: 'JSONRPC' | 'HTTP+JSON';
  /** How data parts were written, where that is to be kept. */
  dataText?: DataTexts;
}

interface ResultReadOptions extends ReadOptions {
  /** A task of A2A 0.1 may hold its answer in the history alone. */
  answersInHistory?: boolean;
}

/**
 * Reads one result or stream event of an agent: A2A 1.0 (member tells the kind), 0.3 (`kind`), 0.1 (by members), bare or
 * from an envelope. Null when it is none of them.
 */
export function readAgentResult(value: JsonValue, newId: () => string, wire?: AgentWire): AgentItem | null {
  const { protocolVersion, binding, dataText }: AgentWire = wire ?? { protocolVersion: '1.0', binding: 'JSONRPC' };
  const nestsData = protocolVersion === '0.3' && binding === 'HTTP+JSON';
  return readItem(value, { newId, nestsData, answersInHistory: protocolVersion === '0.1', dataText });
}

function readItem(value: JsonValue, options: ResultReadOptions): AgentItem | null {
  if (!isObject(value)) return null;
  if (isObject(value.task)) return readTask(value.task, options);
  if (isObject(value.message) && !value.kind && !value.status) return readReply(value.message, options);
  if (isObject(value.statusUpdate)) return readStatus(value.statusUpdate, options);
  if (isObject(value.artifactUpdate)) return readArtifactUpdate(value.artifactUpdate, options);
  switch (value.kind) {
    case 'task':
      return readTask(value, options);
    case 'message':
      return readReply(value, options);
    case 'status-update':
      return readStatus(value, options);
    case 'artifact-update':
      return readArtifactUpdate(value, options);
    default:
      return readByMembers(value, options);
  }
}

// What 0.1 sends is told by what it has: a task's artifacts and history, an event's `final`.
function readByMembers(value: JsonObject, options: ResultReadOptions): AgentItem | null {
  if (isObject(value.artifact)) return readArtifactUpdate(value, options);
  if (isObject(value.status)) {
    const isEvent = !('id' in value) || ('final' in value && !('artifacts' in value));
    return isEvent ? readStatus(value, options) : readTask(value, options);
  }
  return Array.isArray(value.parts) ? readReply(value, options) : null;
}

function idsOf(value: JsonObject): { taskId?: string; contextId?: string } {
  return { taskId: nonEmptyString(value.taskId) ?? nonEmptyString(value.id), contextId: contextOf(value) };
}

function contextOf(value: JsonObject): string | undefined {
  return nonEmptyString(value.contextId) ?? nonEmptyString(value.sessionId);
}

function readTask(value: JsonObject, options: ResultReadOptions): AgentItem | null {
  const taskId = nonEmptyString(value.id);
  const status = isObject(value.status) ? value.status : {};
  const state = typeof status.state === 'string' ? stateFromText(status.state) : undefined;
  if (!taskId || !state) return null;
  const artifacts = readArtifacts(value.artifacts, options);
  const rawHistory = Array.isArray(value.history) ? value.history : value.messages;
  const history = (Array.isArray(rawHistory) ? rawHistory : [])
    .map((message) => readMessage(message, options))
    .filter((message) => message !== null);
  const last = history.at(-1);
  const fromHistory =
    options.answersInHistory && artifacts.length === 0 && endsTurn(state) && last?.role === 'agent' ? last : null;
  const message = readMessage(status.message, options) ?? fromHistory;
  return { type: 'task', taskId, contextId: contextOf(value), state, message, artifacts, history };
}

function readReply(value: JsonObject, options: ReadOptions): AgentItem | null {
  const message = readMessage(value, options);
  const ids = { taskId: nonEmptyString(value.taskId), contextId: contextOf(value) };
  return message ? { type: 'message', message: { ...message, role: 'agent' }, ...ids } : null;
}

function readStatus(value: JsonObject, options: ReadOptions): AgentItem | null {
  const status = isObject(value.status) ? value.status : {};
  const state = typeof status.state === 'string' ? stateFromText(status.state) : undefined;
  if (!state) return null;
  const metadata = isObject(value.metadata) ? value.metadata : undefined;
  return { type: 'status', ...idsOf(value), state, message: readMessage(status.message, options), metadata };
}

function readArtifactUpdate(value: JsonObject, options: ReadOptions): AgentItem | null {
  const artifact = readArtifact(value.artifact, options);
  if (!artifact || !isObject(value.artifact)) return null;
  // 0.1 says of the artifact itself what later versions say of the event.
  const append = (value.append ?? value.artifact.append) === true;
  const lastChunk = (value.lastChunk ?? value.artifact.lastChunk) === true;
  return { type: 'artifact', ...idsOf(value), artifact, append, lastChunk };
}
