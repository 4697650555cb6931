import { sha256 } from '../../platform/crypto';
import type { ClientTaskSend } from '../../protocol/a2a/core/requests';

/**
 * The id of a message that came without one: a UUID (RFC 9562 §5.8) that is the same for the same body on the same task,
 * so that the story of the task tells whether the message is in it already.
 */
export function deriveMessageId(
  taskId: string,
  { message, metadata }: ClientTaskSend,
  idempotencyKey: string | undefined,
): string {
  const { parts, contextId, metadata: own } = message;
  const body = JSON.stringify([
    taskId,
    idempotencyKey ?? null,
    parts,
    contextId ?? null,
    own ?? null,
    metadata ?? null,
  ]);
  const hex = sha256(body);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
