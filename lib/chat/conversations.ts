import { z } from 'zod';
import { type AgentRecord, findAgentById } from '../catalog';
import { authorize } from '../identity';
import type { Ctx } from '../platform/context';
import { cursorTime, defineCursor, unknownCursor } from '../platform/cursor';
import { DAY_MS } from '../platform/time';
import { conversationNotFound, loadConversation } from './access';
import { CHAT_USER_DAYS, CONVERSATION_PAGE_SIZE, MAX_TITLE_SEARCH_LENGTH } from './limits';
import type { ConversationPage, ConversationView, RenameConversation } from './schema';
import {
  type Conversation,
  findChatUsers,
  findConversations,
  removeConversation,
  updateTitle,
} from './store/conversations';

const conversationCursor = defineCursor({
  list: 'conversations',
  position: z.object({ updatedAt: cursorTime, id: z.string().regex(/^cnv_[0-9a-z]{1,40}$/) }),
  refuse: unknownCursor,
});

interface ListInput {
  /** Text to find in titles. */
  search?: string | null;
  /** `nextCursor` of the previous page. */
  cursor?: string | null;
}

/**
 * A page of the user's conversations, latest first.
 * @throws {ParleyError} `unauthenticated`, `forbidden`; `invalid_request` for an unknown cursor
 */
export async function listConversations({ ctx, input }: { ctx: Ctx; input: ListInput }): Promise<ConversationPage> {
  const user = authorize(ctx.actor, 'session');
  const search = (input.search ?? '')
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, MAX_TITLE_SEARCH_LENGTH);
  const before = input.cursor ? conversationCursor.decode(input.cursor) : null;
  const found = await findConversations(user.userId, { search, before, limit: CONVERSATION_PAGE_SIZE + 1 });
  const { rows, nextCursor } = conversationCursor.pageOf(found, CONVERSATION_PAGE_SIZE);
  const views = await Promise.all(
    rows.map(async (conversation) => {
      const agent = await findAgentById(conversation.agentId);
      return agent ? [toConversationView(conversation, agent)] : [];
    }),
  );
  return { items: views.flat(), nextCursor };
}

/** @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found` */
export async function renameConversation(call: {
  ctx: Ctx;
  input: RenameConversation & { id: string };
}): Promise<ConversationView> {
  const { id, title } = call.input;
  const { user, agent } = await loadConversation(call.ctx, id);
  const renamed = await updateTitle(user.userId, id, title);
  if (!renamed) throw conversationNotFound();
  return toConversationView(renamed, agent);
}

/**
 * Deletes a conversation from the user's list. Its tasks remain at the gateway and with the agent.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found`
 */
export async function deleteConversation({ ctx, input }: { ctx: Ctx; input: { id: string } }): Promise<void> {
  const user = authorize(ctx.actor, 'session');
  if (!(await removeConversation(user.userId, input.id))) throw conversationNotFound();
}

/** The view of a conversation for lists. */
export function toConversationView(
  { id, title, updatedAt }: Conversation,
  { slug, name }: Pick<AgentRecord, 'slug' | 'name'>,
): ConversationView {
  return { id, title, agent: { slug, name }, updatedAt: updatedAt.toISOString() };
}

/** Ids of the agent's recent chat users, for moderation notifications. */
export function listChatUsers(agentId: string, now: Date): Promise<string[]> {
  return findChatUsers(agentId, new Date(now.getTime() - CHAT_USER_DAYS * DAY_MS));
}
