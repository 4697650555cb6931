import type { AgentRecord } from '../../catalog';
import type { Notice } from '../../protocol/a2a/core/message-origin';
import type { CoreRequest, PushDialect } from '../../protocol/a2a/core/model';
import type { ExtensionUse } from '../../protocol/extensions';
import type { JsonObject } from '../../protocol/json';
import type { ClientTaskIdClaim } from '../store/create-task';

/** A send, common to all dialects. */
export interface SendInput {
  agent: AgentRecord;
  request: CoreRequest & { op: 'send' };
  /** The request's `Idempotency-Key`. A UUID `messageId` is the key if absent. With null, every send is distinct. */
  idempotencyKey?: string | null;
  /**
   * The hash of the caller's input, if the message contains ids that differ in a retry; by default, the hash of the
   * message.
   */
  bodyHash?: string;
  /** The extensions requested; those activated are set before the first event. */
  extensions?: ExtensionUse;
  /** The format of pushes that the send requests; 1.0 when unset. */
  pushDialect?: PushDialect;
  /** The task for whose caller an agent sends the message; only for delegated sends. */
  parentTaskId?: string;
  /** Set for a send of a built-in agent: its task, and its permission to call others without approval. */
  hiredBy?: { parent: Parent; mayHire: boolean };
  /** Set for Parley's own messages about an order. */
  notice?: Notice;
  /** The task of a built-in agent whose latest message is forwarded. */
  passesOn?: string;
  /** Timeout of the user's approval of a delegated send, milliseconds; by default that of an HTTP request. */
  approvalWaitMs?: number;
  /** For a send with a client task id (A2A 0.1): Parley's id for the task, and its metadata. */
  clientTask?: {
    taskId: string;
    idClaim: ClientTaskIdClaim | null;
    metadata?: JsonObject;
    /** The hash of the client's input only: the message contains our ids, which differ in a retry. */
    bodyHash: string;
  };
}

/** The task whose agent sends, and its place in the chain. */
export interface Parent {
  taskId: string;
  /** The agent that sends. */
  agentId: string;
  /** The credential under which that agent was called. */
  credentialId: string;
  rootTaskId: string;
  /** The depth of the task that the send creates. */
  depth: number;
}
