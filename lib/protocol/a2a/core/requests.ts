import type { JsonObject } from '../../json';
import type { Message, TaskState } from './model';

export interface SendConfiguration {
  acceptedOutputModes?: string[];
  /** Unset: the server's choice; 0: none; N: at most N (A2A 1.0 §3.2.4). */
  historyLength?: number;
  /** Answer at once instead of waiting for the end of the turn. */
  returnImmediately: boolean;
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
  | { op: 'get'; taskId: string; historyLength?: number }
  | { op: 'list'; filter: ListFilter }
  | { op: 'cancel'; taskId: string; metadata?: JsonObject }
  | { op: 'subscribe'; taskId: string }
  | { op: 'push-config' }
  | { op: 'extended-card' };
