import type { JsonObject } from '../../json';
import type { Message, TaskState } from './model';

/** The dialect in which a push is encoded: that of the request that configured it. */
export type PushDialect = '0.3' | '1.0';

/** The target of pushes of a task's updates (A2A 1.0 §4.3). */
export interface PushTarget {
  /** The caller's id of the configuration; the same id replaces it. */
  id?: string;
  url: string;
  /** Sent as `X-A2A-Notification-Token`. */
  token?: string;
  authentication?: { scheme: string; credentials?: string };
}

/** A stored target. Its credentials are never returned. */
export interface PushConfig extends PushTarget {
  id: string;
  taskId: string;
}

export interface SendConfiguration {
  acceptedOutputModes?: string[];
  /** Unset: the server's choice; 0: none; N: at most N (A2A 1.0 §3.2.4). */
  historyLength?: number;
  /** Return immediately instead of waiting for the end of the turn. */
  returnImmediately: boolean;
  /**
   * Maximum time to wait for the end of the turn, milliseconds (RFC 7240 `Prefer: wait`); unset: the server's limit.
   */
  waitMs?: number;
  /** The target of pushes of the task's updates. */
  push?: PushTarget;
}

/** A send of A2A 0.1: the client chooses the task id, and the message has none. */
export interface ClientTaskSend {
  op: 'send-client-task';
  streaming: boolean;
  /** Absent: Parley generates the task id. */
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
}

/** A caller's request in any dialect. */
export type CoreRequest =
  | { op: 'send'; streaming: boolean; message: Message; configuration: SendConfiguration; metadata?: JsonObject }
  | ClientTaskSend
  | { op: 'get'; taskId: string; historyLength?: number }
  | { op: 'list'; filter: ListFilter }
  | { op: 'cancel'; taskId: string; reason?: string; metadata?: JsonObject }
  | { op: 'subscribe'; taskId: string }
  | { op: 'push-set'; taskId: string; target: PushTarget }
  | { op: 'push-get'; taskId: string; configId: string }
  | { op: 'push-list'; taskId: string; pageSize: number; pageToken?: string }
  | { op: 'push-delete'; taskId: string; configId: string }
  | { op: 'extended-card' };
