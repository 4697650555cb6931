import type { AgentRecord } from '../../catalog';
import type { CallerActor } from '../../platform/context';
import { sha256 } from '../../platform/secrets/crypto';
import type { ClientTaskSend } from '../../protocol/a2a/core/model';
import type { JsonObject } from '../../protocol/json';
import { subjectOf } from '../../tokens';

/**
 * Derives the id of a message that was sent without one: a UUID of the task and the body (RFC 9562 §5.8), so that a
 * repeated message can be found in the task's event log.
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

/** Members by which Society AI identifies the caller, and `cost`, which only an agent may set. */
const reservedMembers = new Set(['requester', 'user_id', 'chat_id', 'cost']);

/**
 * Returns the task metadata of a send. The members that identify the caller are overwritten with verified values,
 * including the subject of the agent's token, and `cost` is removed.
 */
export function callerMetadata(
  metadata: JsonObject,
  sender: { caller: CallerActor; agent: AgentRecord; contextId: string },
): JsonObject {
  const { caller, agent, contextId } = sender;
  const trusted: JsonObject = {
    requester: { name: caller.clientId },
    user_id: subjectOf({ principal: caller.principal, agent }),
    chat_id: contextId,
  };
  const members = Object.entries(metadata).filter(([name]) => !reservedMembers.has(name));
  const overwritten = Object.entries(trusted).filter(([name]) => metadata[name] !== undefined);
  return Object.fromEntries([...members, ...overwritten]);
}

/**
 * Returns the task metadata for the agent, without `chat_id`, because the agent has another id for the conversation.
 */
export function upstreamMetadata({ chat_id: _, ...metadata }: JsonObject): JsonObject | undefined {
  return Object.keys(metadata).length > 0 ? metadata : undefined;
}
