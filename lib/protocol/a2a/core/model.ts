import type { JsonObject, JsonValue } from '../../json';

/**
 * The one model that the gateway knows; every dialect reads into it and writes from it. State names are A2A 0.3's.
 * `unknown` (0.1–0.3) is never stored: it reads as `working`.
 */
export type TaskState =
  | 'submitted'
  | 'working'
  | 'input-required'
  | 'auth-required'
  | 'completed'
  | 'failed'
  | 'canceled'
  | 'rejected';

const terminal: ReadonlySet<TaskState> = new Set(['completed', 'failed', 'canceled', 'rejected']);
const interrupted: ReadonlySet<TaskState> = new Set(['input-required', 'auth-required']);

/** The task is over and takes no more messages. */
export function isTerminal(state: TaskState): boolean {
  return terminal.has(state);
}

/** The agent waits for the caller; a message on the same task goes on. */
export function isInterrupted(state: TaskState): boolean {
  return interrupted.has(state);
}

/** This turn of the agent is over, for good or until the caller answers. */
export function endsTurn(state: TaskState): boolean {
  return isTerminal(state) || isInterrupted(state);
}

interface PartCommon {
  filename?: string;
  mediaType?: string;
  metadata?: JsonObject;
}

export type Part =
  | ({ kind: 'text'; text: string } & PartCommon)
  | ({ kind: 'bytes'; bytes: string } & PartCommon)
  | ({ kind: 'uri'; uri: string } & PartCommon)
  | ({
      kind: 'data';
      data: JsonValue;
      /** How the agent wrote it, where that is kept: of what may be an offer to buy and is not what `JSON.stringify` writes. */
      text?: string;
    } & PartCommon);

export interface Message {
  messageId: string;
  role: 'user' | 'agent';
  parts: Part[];
  contextId?: string;
  taskId?: string;
  referenceTaskIds?: string[];
  extensions?: string[];
  metadata?: JsonObject;
}

export interface Artifact {
  artifactId: string;
  name?: string;
  description?: string;
  parts: Part[];
  extensions?: string[];
  metadata?: JsonObject;
}

export interface TaskStatus {
  state: TaskState;
  message?: Message;
  /** ISO 8601, UTC. */
  timestamp: string;
}

export interface Task {
  id: string;
  contextId: string;
  status: TaskStatus;
  artifacts: Artifact[];
  history: Message[];
  metadata?: JsonObject;
  /** ISO 8601, UTC. */
  createdAt?: string;
}
