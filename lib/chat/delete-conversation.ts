import type { Ctx } from '../platform/context';
import { conversationNotFound } from './errors';
import { requireSession } from './policy';
import { removeConversation } from './store/conversations';

/**
 * Takes a conversation out of the sidebar. Its tasks stay with the gateway, and what an agent was told stays with the agent.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found`
 */
export async function deleteConversation({ ctx, input }: { ctx: Ctx; input: { id: string } }): Promise<void> {
  const person = requireSession(ctx.actor);
  if (!(await removeConversation(person.userId, input.id))) throw conversationNotFound();
}
