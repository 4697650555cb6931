import type { Ctx } from '../platform/context';
import { conversationNotFound } from './errors';
import { loadConversation } from './load-conversation';
import type { ConversationView, RenameConversation } from './schema';
import { updateTitle } from './store/conversations';
import { toConversationView } from './to-wire';

/** @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found` */
export async function renameConversation(call: {
  ctx: Ctx;
  input: RenameConversation & { id: string };
}): Promise<ConversationView> {
  const { id, title } = call.input;
  const { person, agent } = await loadConversation(call.ctx, id);
  const renamed = await updateTitle(person.userId, id, title);
  if (!renamed) throw conversationNotFound();
  return toConversationView(renamed, agent);
}
