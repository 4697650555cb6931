import { type AgentRecord, findAgentById } from '../catalog';
import type { Ctx, UserActor } from '../platform/context';
import { conversationNotFound } from './errors';
import { requireSession } from './policy';
import { type Conversation, findConversation } from './store/conversations';

export interface LoadedConversation {
  person: UserActor;
  conversation: Conversation;
  agent: AgentRecord;
}

/**
 * The conversation that the person asks for, with its agent.
 * @throws {ParleyError} `unauthenticated`, `forbidden`; `not_found` for unknown conversations and those of others alike
 */
export async function loadConversation(ctx: Ctx, id: string): Promise<LoadedConversation> {
  const person = requireSession(ctx.actor);
  const conversation = await findConversation(person.userId, id);
  const agent = conversation && (await findAgentById(conversation.agentId));
  if (!conversation || !agent) throw conversationNotFound();
  return { person, conversation, agent };
}
