import type { JsonObject } from '../../json';
import type { Message, TaskState } from './model';
import type { PushTarget } from './push';

export interface SendConfiguration {
  acceptedOutputModes?: string[];
  /** Unset: the server's choice; 0: none; N: at most N (A2A 1.0 §3.2.4). */
  historyLength?: number;
  /** Answer at once instead of waiting for the end of the turn. */
  returnImmediately: boolean;
  /** Longest wait for the end of the turn, milliseconds (RFC 7240 `Prefer: wait`); unset: the server's limit. */
  waitMs?: number;
  /** Where the task's updates are to be pushed. */
  push?: PushTarget;
}

/** A send of A2A 0.1: the client names the task, the message has no id. */
export interface ClientTaskSend {
  op: 'send-named';
  streaming: boolean;
  /** Absent: the task gets its id from us. */
  clientTaskId?: string;
  message: Pick<Message, 'parts' | 'contextId' | 'metadata'>;
  configuration: SendConfiguration;
  /** Joins the task's own metadata. */
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

/** What a caller asks of an agent, in any dialect. */
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
