import type { AgentRecord } from '../../catalog';
import type { CallerActor } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { isUuid } from '../../platform/ids';
import { sha256 } from '../../platform/secrets/crypto';
import type { Notice } from '../../protocol/a2a/core/message-origin';
import type { CoreRequest, PushDialect } from '../../protocol/a2a/core/model';
import type { ExtensionUse } from '../../protocol/extensions';
import type { JsonObject } from '../../protocol/json';
import { ownerOf } from '../authorization';
import type { Turn } from '../log/turn';
import { findTask } from '../store/find-tasks';
import { type ClientTaskIdClaim, findIdempotencyKey } from '../store/send-keys';
import { loadTask } from '../store/task-events';

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

/** The key that identifies a repeated send. */
interface IdempotencyKey {
  key: string;
  /** Used to detect a different message with the same key. */
  bodyHash: string;
}

/**
 * Returns the idempotency key of a send: its `Idempotency-Key`, or its `messageId` if that is a UUID. Returns null if
 * every send is distinct, and for sends with a client task id, which serves as the key.
 */
export function deriveIdempotencyKey({
  idempotencyKey,
  request,
  clientTask,
  bodyHash,
}: SendInput): IdempotencyKey | null {
  const { message } = request;
  if (idempotencyKey === null) return null;
  if (clientTask && (clientTask.idClaim || message.taskId)) return null;
  const key = idempotencyKey ?? (isUuid(message.messageId) ? message.messageId : null);
  if (key === null) return null;
  return { key, bodyHash: clientTask?.bodyHash ?? bodyHash ?? bodyHashOf(request) };
}

/** Hashes the content that the agent receives. `configuration` may differ in a retry. */
function bodyHashOf({ message, metadata }: SendInput['request']): string {
  const { parts, contextId = null, taskId, referenceTaskIds, extensions } = message;
  const isPlain = !(taskId || referenceTaskIds || extensions || metadata);
  if (isPlain) return sha256(JSON.stringify([parts, contextId, message.metadata ?? null]));
  // Some bindings omit empty values.
  const more = {
    taskId,
    refers: nonEmpty(referenceTaskIds),
    extends: nonEmpty(extensions),
    metadata: nonEmpty(metadata),
  };
  const rest = JSON.stringify(more);
  return sha256(JSON.stringify([parts, contextId, message.metadata ?? null, ...(rest === '{}' ? [] : [rest])]));
}

function nonEmpty<Value extends JsonObject | string[]>(value: Value | undefined): Value | undefined {
  return value && Object.keys(value).length > 0 ? value : undefined;
}

/**
 * Finds the turn that the same send started earlier; null if there is none.
 * @throws {ParleyError} `idempotency_mismatch` if the key was used for another message
 */
export async function findIdempotentTurn(
  caller: CallerActor,
  idempotencyKey: IdempotencyKey | null,
): Promise<Turn | null> {
  const owner = ownerOf(caller);
  const earlier = idempotencyKey && (await findIdempotencyKey(owner, idempotencyKey.key));
  if (!earlier) return null;
  if (earlier.bodyHash !== idempotencyKey.bodyHash) {
    const text = 'This key was used for another message. Use a new Idempotency-Key and messageId for a new message.';
    throw new ParleyError('idempotency_mismatch', text, { data: { reason: 'idempotency_mismatch' } });
  }
  const record = await findTask(owner, earlier.taskId);
  if (!record) return null;
  const { task, seq, events } = await loadTask(record);
  return { record, task, seq, last: events.at(-1)?.event };
}
