import type { JsonObject, JsonValue } from '../../json';
import { MAX_ID_LENGTH } from '../../limits';

/**
 * The version-independent model: every dialect decodes to it and encodes from it. State names are A2A 0.3's. `unknown`
 * (0.1–0.3) is never stored: it is read as `working`.
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

/** True for a terminal state: the task accepts no more messages. */
export function isTerminal(state: TaskState): boolean {
  return terminal.has(state);
}

/** True when the agent waits for a message of the caller on the same task. */
export function isInterrupted(state: TaskState): boolean {
  return interrupted.has(state);
}

/** True when the agent's turn has ended, with the task or until the caller's next message. */
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
      /** The original JSON of the agent; only for data that may be an offer and differs from `JSON.stringify`. */
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

/** Valid ids of tasks, contexts and messages. */
export const idPattern = /^[^\p{Cc}]{1,255}$/u;

/** True for a valid id; PostgreSQL cannot store some other texts. */
export function isId(text: string): boolean {
  return text.length <= MAX_ID_LENGTH && idPattern.test(text);
}
