import type { JsonObject, JsonValue } from '../../json';
import { MAX_ID_LENGTH } from '../../limits';

/**
 * Task states of the version-independent model, to which every dialect decodes and from which it encodes. State names
 * are A2A 0.3's. `unknown` (0.1–0.3) is never stored: it is read as `working`.
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

/** Returns true for a terminal state: the task accepts no more messages. */
export function isTerminal(state: TaskState): boolean {
  return terminal.has(state);
}

/** Returns true if the agent waits for a message from the caller on the same task. */
export function isInterrupted(state: TaskState): boolean {
  return interrupted.has(state);
}

/** Returns true if the agent's turn has ended, with the task or until the caller's next message. */
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
      /**
       * The original JSON of the agent. Set only for data that may be an offer and differs from the output of
       * `JSON.stringify`.
       */
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
  /** The requests for input that the message answers (A2A 1.1). */
  elicitationIds?: string[];
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
  /** The requests for input that changed with this status, if the agent listed them (A2A 1.1). */
  elicitations?: Elicitation[];
}

export type ElicitationState = 'waiting' | 'blocked' | 'resolved';

/** A request of an agent for input. Its content is the message of the status with which it was made. */
export interface Elicitation {
  /** Unique within the task. */
  elicitationId: string;
  /** `waiting`: the agent continues. `blocked`: it waits for the answer. */
  state: ElicitationState;
  metadata?: JsonObject;
}

/** A message of the caller or a status, with the generation that it caused. */
export interface TimelineItem {
  generation: number;
  message?: Message;
  status?: TaskStatus;
}

/** The first and the latest change of an artifact; `isComplete` unless it may grow. */
export interface ArtifactChanges {
  first: number;
  latest: number;
  isComplete: boolean;
}

/** What callers of A2A 1.1 read of a task in addition: its changes, numbered from 1 without gaps. */
export interface TaskChanges {
  /** The number of the last change. */
  generation: number;
  /** The latest status, with the requests for input that changed with it. */
  status?: TaskStatus;
  timeline: TimelineItem[];
  /** The changes of each artifact, by id. */
  artifacts: Map<string, ArtifactChanges>;
  /** All requests for input, by id. */
  elicitations: Map<string, Elicitation>;
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
  /** Set for callers of A2A 1.1. */
  changes?: TaskChanges;
}

/** Valid ids of tasks, contexts and messages. */
export const idPattern = /^[^\p{Cc}]{1,255}$/u;

/** Returns true for a valid id. PostgreSQL cannot store some other texts. */
export function isId(text: string): boolean {
  return text.length <= MAX_ID_LENGTH && idPattern.test(text);
}

/** The dialect in which a push is encoded: that of the request that configured it. */
export type PushDialect = '0.3' | '1.0' | '1.1';

/** The target of push notifications for a task (A2A 1.0 §4.3). */
export interface PushTarget {
  /** The caller's id of the configuration. Replaces a configuration with the same id. */
  id?: string;
  url: string;
  /** Sent as `X-A2A-Notification-Token`. */
  token?: string;
  authentication?: { scheme: string; credentials?: string };
}

/** A stored target of push notifications. Its credentials are never returned to callers. */
export interface PushConfig extends PushTarget {
  id: string;
  taskId: string;
}

interface SendConfiguration {
  acceptedOutputModes?: string[];
  /** Maximum messages of the history: unset for the server's choice, 0 for none (A2A 1.0 §3.2.4). */
  historyLength?: number;
  /** True to return immediately instead of waiting for the end of the turn. */
  returnImmediately: boolean;
  /**
   * Maximum time to wait for the end of the turn, milliseconds (RFC 7240 `Prefer: wait`); unset: the server's limit.
   */
  waitMs?: number;
  /** The target of pushes of the task's updates. */
  push?: PushTarget;
  /** Rejects a message to a task whose last change is not this one (A2A 1.1). */
  ifGenerationMatch?: number;
  changes?: ChangesRequest;
}

/** Requests the changes of a task (A2A 1.1). */
export interface ChangesRequest {
  /** Maximum entries of the timeline, the last ones: unset for the server's choice. */
  timelineLength?: number;
}

/** A send of A2A 0.1: the client chooses the task id, and the message has no id. */
export interface ClientTaskSend {
  op: 'send-client-task';
  streaming: boolean;
  /** Absent if Parley generates the task id. */
  clientTaskId?: string;
  message: Pick<Message, 'parts' | 'contextId' | 'metadata'>;
  configuration: SendConfiguration;
  /** Merged into the task's metadata. */
  metadata?: JsonObject;
}

export interface ListFilter {
  contextId?: string;
  state?: TaskState;
  /** 1–100. */
  pageSize: number;
  pageToken?: string;
  historyLength?: number;
  /** ISO 8601; inclusive. */
  statusTimestampAfter?: string;
  includeArtifacts: boolean;
  changes?: ChangesRequest;
}

/** A caller's request in any dialect. */
export type CoreRequest =
  | { op: 'send'; streaming: boolean; message: Message; configuration: SendConfiguration; metadata?: JsonObject }
  | ClientTaskSend
  /** With `newerThan`, waits until the task has a change with a higher number, or for `waitMs` (A2A 1.1). */
  | {
      op: 'get';
      taskId: string;
      historyLength?: number;
      newerThan?: number;
      waitMs?: number;
      changes?: ChangesRequest;
    }
  | { op: 'list'; filter: ListFilter }
  | { op: 'cancel'; taskId: string; reason?: string; metadata?: JsonObject; changes?: ChangesRequest }
  | { op: 'subscribe'; taskId: string; changes?: ChangesRequest }
  | { op: 'push-set'; taskId: string; target: PushTarget }
  | { op: 'push-get'; taskId: string; configId: string }
  | { op: 'push-list'; taskId: string; pageSize: number; pageToken?: string }
  | { op: 'push-delete'; taskId: string; configId: string }
  | { op: 'extended-card' };
