import { isObject, type JsonObject, type JsonValue, nonEmptyString } from '../../../json';
import type { CallableVersion } from '../../core/card';
import { type Artifact, type Elicitation, endsTurn, type Message, type TaskState } from '../../core/model';
import { stateFromText } from '../states';
import { readElicitations } from '../v11/read-elicitations';
import { type DataTexts, metadataOf, type ReadOptions, readArtifact, readArtifacts, readMessage } from './read-part';

/** An agent's result or stream event, independent of the protocol version. Ids are the agent's own. */
export type AgentItem =
  | {
      type: 'task';
      taskId: string;
      contextId?: string;
      state: TaskState;
      message: Message | null;
      artifacts: Artifact[];
      history: Message[];
      metadata?: JsonObject;
      elicitations?: Elicitation[];
    }
  | { type: 'message'; message: Message; taskId?: string; contextId?: string }
  | {
      type: 'status';
      taskId?: string;
      contextId?: string;
      state: TaskState;
      message: Message | null;
      metadata?: JsonObject;
      elicitations?: Elicitation[];
    }
  | {
      type: 'artifact';
      taskId?: string;
      contextId?: string;
      artifact: Artifact;
      append: boolean;
      lastChunk: boolean;
      metadata?: JsonObject;
    };

/** The protocol of the agent. */
export interface AgentProtocol {
  protocolVersion: CallableVersion;
  binding: 'JSONRPC' | 'HTTP+JSON' | 'GRPC' | 'MCP' | 'HUB' | 'BUILT-IN';
  /** The original JSON of data parts, if retained. */
  dataText?: DataTexts;
}

interface ResultReadOptions extends ReadOptions {
  /** True if the answer may be only in the history, as in a task of A2A 0.1. */
  answersInHistory?: boolean;
  /** True if the agent lists its requests for input, as in A2A 1.1. */
  hasElicitations?: boolean;
}

/**
 * Reads one result or stream event of an agent, bare or in an envelope: A2A 1.0 (by member name), 0.3 (by `kind`), 0.1
 * (by its members). Returns null for all other values.
 */
export function readAgentResult(value: JsonValue, newId: () => string, protocol?: AgentProtocol): AgentItem | null {
  const { protocolVersion, binding, dataText }: AgentProtocol = protocol ?? {
    protocolVersion: '1.0',
    binding: 'JSONRPC',
  };
  const nestsData = protocolVersion === '0.3' && binding === 'HTTP+JSON';
  const traits = { answersInHistory: protocolVersion === '0.1', hasElicitations: protocolVersion === '1.1' };
  return readItem(value, { newId, nestsData, ...traits, dataText });
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

// 0.1 has no discriminator: a task has artifacts and history, an event has `final`.
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
  const metadata = metadataOf(value.metadata);
  const elicitations = options.hasElicitations ? readElicitations(value.elicitations) : undefined;
  const contextId = contextOf(value);
  return { type: 'task', taskId, contextId, state, message, artifacts, history, metadata, elicitations };
}

function readReply(value: JsonObject, options: ReadOptions): AgentItem | null {
  const message = readMessage(value, options);
  const ids = { taskId: nonEmptyString(value.taskId), contextId: contextOf(value) };
  return message ? { type: 'message', message: { ...message, role: 'agent' }, ...ids } : null;
}

function readStatus(value: JsonObject, options: ResultReadOptions): AgentItem | null {
  const status = isObject(value.status) ? value.status : {};
  const state = typeof status.state === 'string' ? stateFromText(status.state) : undefined;
  if (!state) return null;
  const metadata = metadataOf(value.metadata);
  const elicitations = options.hasElicitations ? readElicitations(status.elicitations) : undefined;
  const message = readMessage(status.message, options);
  return { type: 'status', ...idsOf(value), state, message, metadata, elicitations };
}

function readArtifactUpdate(value: JsonObject, options: ReadOptions): AgentItem | null {
  const artifact = readArtifact(value.artifact, options);
  if (!artifact || !isObject(value.artifact)) return null;
  // These members are on the artifact in 0.1 and on the event in later versions.
  const append = (value.append ?? value.artifact.append) === true;
  const lastChunk = (value.lastChunk ?? value.artifact.lastChunk) === true;
  return { type: 'artifact', ...idsOf(value), artifact, append, lastChunk, metadata: metadataOf(value.metadata) };
}

/** An agent's error: its JSON-RPC code (0 if unknown) and its text. */
export interface AgentErrorObject {
  code: number;
  message: string;
}

/** JSON-RPC codes of A2A's reasons (1.0 §5.4): HTTP+JSON has only the reason. */
const codesByReason: Record<string, number> = {
  INVALID_ARGUMENT: -32602,
  INVALID_PARAMS: -32602,
  METHOD_NOT_FOUND: -32601,
  TASK_NOT_FOUND: -32001,
  TASK_NOT_CANCELABLE: -32002,
  PUSH_NOTIFICATION_NOT_SUPPORTED: -32003,
  UNSUPPORTED_OPERATION: -32004,
  CONTENT_TYPE_NOT_SUPPORTED: -32005,
  INVALID_AGENT_RESPONSE: -32006,
  EXTENSION_SUPPORT_REQUIRED: -32008,
  VERSION_NOT_SUPPORTED: -32009,
};

/**
 * Reads the error in an agent's response: JSON-RPC, HTTP+JSON of 1.0 (`google.rpc.Status`, §11.6) and of 0.3 (code at
 * the top level), or problem JSON (drafts of 1.0). Returns null if the value is not an error.
 */
export function readAgentError(value: JsonValue): AgentErrorObject | null {
  if (!isObject(value)) return null;
  const body = isObject(value.error) ? value.error : value;
  const message = nonEmptyString(body.message) ?? nonEmptyString(body.detail) ?? nonEmptyString(body.title);
  if (body === value && (message === undefined || !isErrorShape(value))) return null;
  return { code: numberOf(body), message: message ?? 'no message' };
}

function isErrorShape(value: JsonObject): boolean {
  const { code, type, title, status } = value;
  return typeof code === 'number' || (typeof type === 'string' && typeof (title ?? status) !== 'object');
}

function numberOf(body: JsonObject): number {
  const { code } = body;
  if (typeof code === 'number' && code < 0) return code;
  const details = Array.isArray(body.details) ? body.details : [];
  const reasons = details.map((detail) => (isObject(detail) ? nonEmptyString(detail.reason) : undefined));
  const type = nonEmptyString(body.type)
    ?.split('/')
    .at(-1)
    ?.toUpperCase()
    .replaceAll('-', '_')
    .replace(/_ERROR$/, '');
  const known = [...reasons, type, nonEmptyString(body.status)].find(
    (name) => name !== undefined && Object.hasOwn(codesByReason, name),
  );
  return (known !== undefined && codesByReason[known]) || 0;
}
