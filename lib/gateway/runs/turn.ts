import type { AgentRecord } from '../../catalog';
import type { TaskEvent } from '../../protocol/a2a/core/events';
import type { ExtensionUse } from '../../protocol/a2a/core/extensions';
import type { Task } from '../../protocol/a2a/core/model';
import type { PushDialect } from '../../protocol/a2a/core/push';
import type { CoreRequest } from '../../protocol/a2a/core/requests';
import type { JsonObject } from '../../protocol/json';
import type { ClientTaskIdClaim } from '../store/create-task';
import type { TaskRecord } from '../store/records';
import type { RunHandle } from './run-handle';

/** A send, as every dialect asks for it. */
export interface SendInput {
  agent: AgentRecord;
  request: CoreRequest & { op: 'send' };
  /** `Idempotency-Key` of the request. A UUID `messageId` serves as key when there is none. */
  idempotencyKey?: string;
  /** What is asked of the agent to activate; what it did activate is written into it before its first event is. */
  extensions?: ExtensionUse;
  /** How pushes that the send asks for are written; 1.0 when unset. */
  pushDialect?: PushDialect;
  /** A send that names its task (A2A 0.1): the id that the task is to get here, and what its metadata says. */
  clientTask?: {
    taskId: string;
    idClaim: ClientTaskIdClaim | null;
    metadata?: JsonObject;
    /** Of what the client said alone: the message has ids of ours, which are others when it is said again. */
    bodyHash: string;
  };
}

/** A turn that is under way, or the one that the same send began earlier. */
export interface Turn {
  record: TaskRecord;
  /** The task as it stood when the turn began, and its sequence number then. */
  task: Task;
  seq: number;
  /** The last event of a turn that was begun earlier. */
  last?: TaskEvent;
  /** What is heard of its run. Only of a turn begun here. */
  handle?: RunHandle;
}
