import { type AgentRecord, findAgentById } from '../../catalog';
import { authorize } from '../../identity';
import type { Ctx, UserActor } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { type Conversation, findConversation } from '../store/conversation-rows';

export interface LoadedConversation {
  user: UserActor;
  conversation: Conversation;
  agent: AgentRecord;
}

/**
 * Loads one of the user's conversations with its agent.
 * @throws {ParleyError} `unauthenticated`, `forbidden`; `not_found` for unknown conversations and those of other users
 */
export async function loadConversation(ctx: Ctx, id: string): Promise<LoadedConversation> {
  const user = authorize(ctx.actor, 'session');
  const conversation = await findConversation(user.userId, id);
  const agent = conversation && (await findAgentById(conversation.agentId));
  if (!conversation || !agent) throw conversationNotFound();
  return { user, conversation, agent };
}

/** The same error for an unknown conversation and one of another user. */
export function conversationNotFound(): ParleyError {
  return new ParleyError('not_found', 'Conversation not found. It may have been deleted.');
}
