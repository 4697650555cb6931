import type { CallerActor } from '../../platform/context';
import { sha256 } from '../../platform/crypto';
import { ParleyError } from '../../platform/errors';
import { isUuid } from '../../platform/ids';
import type { JsonObject } from '../../protocol/json';
import { ownerOf } from '../policy';
import { findIdempotencyKey, findTask } from '../store/find-tasks';
import { loadTask } from '../store/read-events';
import type { SendInput, Turn } from './turn';

/** What makes a repeated send the same send. */
export interface IdempotencyKey {
  key: string;
  /** Tells another message under the same key. */
  bodyHash: string;
}

/**
 * The key of a send: its `Idempotency-Key`, or its `messageId` when that is a UUID. Null when every send is its own, and for
 * sends whose client names the task: their name is their key.
 */
export function deriveIdempotencyKey({ idempotencyKey, request, clientTask: named }: SendInput): IdempotencyKey | null {
  const { message } = request;
  if (named && (named.idClaim || message.taskId)) return null;
  const key = idempotencyKey ?? (isUuid(message.messageId) ? message.messageId : null);
  if (key === null) return null;
  return { key, bodyHash: named?.bodyHash ?? bodyHashOf(request) };
}

/** Of what the agent hears; how the caller wants to be answered (`configuration`) may be another when they ask again. */
function bodyHashOf({ message, metadata }: SendInput['request']): string {
  const { parts, contextId = null, taskId, referenceTaskIds, extensions } = message;
  const isPlain = !(taskId || referenceTaskIds || extensions || metadata);
  if (isPlain) return sha256(JSON.stringify([parts, contextId, message.metadata ?? null]));
  // What is empty is absent in some bindings.
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
 * The turn that the same send began earlier; null when there was none.
 * @throws {ParleyError} `idempotency_mismatch` when the key was another message's
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
