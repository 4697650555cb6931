import type { AgentRecord } from '../../catalog';
import type { CallerActor } from '../../platform/context';
import type { JsonObject } from '../../protocol/json';
import { subjectOf } from '../../tokens';

/** Members by which Society AI says who is asking, and what only an agent may say. */
const reservedMembers = new Set(['requester', 'user_id', 'chat_id', 'cost']);

/**
 * What a send says about its task. Who is asking is what we know and not what the caller wrote: those members are
 * overwritten where they stand, with the subject that the agent's token has. The cost is the agent's to tell.
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

/** The same for the agent, who knows the conversation by another id. */
export function upstreamMetadata({ chat_id: _, ...metadata }: JsonObject): JsonObject | undefined {
  return Object.keys(metadata).length > 0 ? metadata : undefined;
}
