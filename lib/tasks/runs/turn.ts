import type { AgentRecord } from '../../catalog';
import { type ErrorCode, ParleyError } from '../../platform/errors';
import { type Refusal, refusalOf, statusOf, type TaskEvent } from '../../protocol/a2a/core/events';
import type { Notice } from '../../protocol/a2a/core/message-origin';
import {
  type CoreRequest,
  isInterrupted,
  type Message,
  type PushDialect,
  type Task,
  type TaskStatus,
} from '../../protocol/a2a/core/model';
import type { ExtensionUse } from '../../protocol/extensions';
import type { JsonObject } from '../../protocol/json';
import type { Parent } from '../chains/delegated-tasks';
import type { ClientTaskIdClaim } from '../store/create-task';
import type { StoredEvent, TaskRecord } from '../store/records';
import type { RunHandle } from './run-handle';

/** A send, common to all dialects. */
export interface SendInput {
  agent: AgentRecord;
  request: CoreRequest & { op: 'send' };
  /**
   * The request's `Idempotency-Key`. If absent, a `messageId` that is a UUID is the key. With null, every send is
   * distinct.
   */
  idempotencyKey?: string | null;
  /**
   * The hash of the caller's input if the message contains ids that differ in a retry. By default, the hash of the
   * message.
   */
  bodyHash?: string;
  /** The requested extensions. Those that are activated are set before the first event. */
  extensions?: ExtensionUse;
  /** The format of pushes that the send requests; 1.0 if unset. */
  pushDialect?: PushDialect;
  /** The task on behalf of whose caller an agent sends the message. Only for delegated sends. */
  parentTaskId?: string;
  /** Set for a send of a built-in agent: its task, and its permission to call others without approval. */
  hiredBy?: { parent: Parent; mayHire: boolean };
  /** Set for Parley's own messages about an order. */
  notice?: Notice;
  /** The task of a built-in agent whose latest message is forwarded. */
  passesOn?: string;
  /** Timeout of the user's approval of a delegated send, milliseconds; by default that of an HTTP request. */
  approvalWaitMs?: number;
  /** For a send with a client task id (A2A 0.1): Parley's id of the task, and its metadata. */
  clientTask?: {
    taskId: string;
    idClaim: ClientTaskIdClaim | null;
    metadata?: JsonObject;
    /** The hash of only the client's input, because the message contains our ids, which differ in a retry. */
    bodyHash: string;
  };
}

/** A started turn, or the one that the same send started earlier. */
export interface Turn {
  record: TaskRecord;
  /** The task and its sequence number when the turn started. */
  task: Task;
  seq: number;
  /** The last event of a turn that was started earlier. */
  last?: TaskEvent;
  /** Set only if this call started the turn. */
  handle?: RunHandle;
}

/** The state of a task's latest turn, derived from its events. */
export interface LatestTurn {
  /** The caller's message that started the turn. */
  message: Message | null;
  /** True if the agent has sent output since. */
  responded: boolean;
  /** The last interrupted status of the task; null if it was never interrupted. */
  interruptedStatus: TaskStatus | null;
}

/** Derives the latest turn from the task's events. */
export function latestTurnOf(events: StoredEvent[]): LatestTurn {
  const at = events.findLastIndex(({ event }) => event.type === 'message');
  const messageEvent = events[at]?.event;
  const interruptedStatus = events
    .map(({ event }) => statusOf(event))
    .findLast((status) => status && isInterrupted(status.state));
  return {
    message: messageEvent?.type === 'message' ? messageEvent.message : null,
    // The message and the turn's first status are appended together.
    responded: events.length > at + 2,
    interruptedStatus: interruptedStatus ?? null,
  };
}

/**
 * Throws if the turn ended with a refusal.
 * @throws {ParleyError} the refusal, with the agent's own text and code if it responded
 */
export function throwIfRefused(event: TaskEvent | undefined): void {
  const refusal = event && refusalOf(event);
  if (refusal) throw errorOf(refusal);
}

function errorOf({ code, text, agentCode, retryAfter }: Refusal): ParleyError {
  const data = agentCode === undefined ? undefined : { agentCode };
  return new ParleyError(code as ErrorCode, text, { data, retryAfter });
}
