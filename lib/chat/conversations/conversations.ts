import { z } from 'zod';
import { type AgentRecord, findAgentById } from '../../catalog';
import { authorize, deleteGuest } from '../../identity';
import { eraseCallContent } from '../../observability';
import { runBatches } from '../../platform/batches';
import type { Call, Ctx, GuestActor } from '../../platform/context';
import { cursorTime, defineCursor, unknownCursor } from '../../platform/db/cursor';
import { assignSameDatabase, deleteOwners } from '../../platform/db/task-databases/owner-directory';
import { giveRows, withMovedRows } from '../../platform/db/task-databases/owner-rows';
import { inTransaction, inTransactionOf, withMainRows, withRowsOf } from '../../platform/db/tx';
import { cutoffOf, env } from '../../platform/runtime/env';
import { DAY_MS } from '../../platform/time';
import { adoptTasks, eraseContexts, replayPaymentEvents } from '../../tasks';
import {
  CHAT_USER_DAYS,
  CONVERSATION_PAGE_SIZE,
  ERASE_CONVERSATION_TIMEOUT_MS,
  IDLE_DELETION_BATCH,
  MAX_TITLE_SEARCH_LENGTH,
} from '../limits';
import type { ChangeConversation, ConversationPage, ConversationView } from '../schema';
import {
  type Conversation,
  type ConversationRef,
  changeConversation as changeStored,
  findChatUsers,
  findConversations,
  isConversationId,
  markDeleted,
  markRestored,
} from '../store/conversation-rows';
import {
  deleteIdleConversations,
  eraseConversation,
  hasPendingOrder,
  listErasable,
  lockErasable,
} from '../store/erase-conversations';
import { conversationNotFound, loadConversation } from './chat-agent';

const conversationCursor = defineCursor({
  list: 'conversations',
  position: z.object({ pinned: z.boolean(), updatedAt: cursorTime, id: z.string().regex(/^cnv_[0-9a-z]{1,40}$/) }),
  refuse: unknownCursor,
});

interface ListInput {
  /** Text to find in titles. */
  search?: string | null;
  /** True to list archived conversations instead of the others. */
  archived?: boolean;
  /** True to list deleted conversations, which can be restored, instead of the others. */
  deleted?: boolean;
  /** `nextCursor` of the previous page. */
  cursor?: string | null;
}

/**
 * Returns a page of the user's conversations, pinned ones first, then newest first.
 * @throws {ParleyError} `unauthenticated`, `forbidden`; `invalid_request` for an unknown cursor
 */
export async function listConversations({ ctx, input }: Call<ListInput>): Promise<ConversationPage> {
  const user = authorize(ctx.actor, 'session');
  const search = (input.search ?? '')
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, MAX_TITLE_SEARCH_LENGTH);
  const before = input.cursor ? conversationCursor.decode(input.cursor) : null;
  const { archived = false, deleted = false } = input;
  const limit = CONVERSATION_PAGE_SIZE + 1;
  const found = await findConversations(user.userId, { search, archived, deleted, before, limit });
  const { rows, nextCursor } = conversationCursor.pageOf(found, CONVERSATION_PAGE_SIZE);
  const views = await Promise.all(
    rows.map(async (conversation) => {
      const agent = await findAgentById(conversation.agentId);
      return agent ? [toConversationView(conversation, agent)] : [];
    }),
  );
  return { items: views.flat(), nextCursor };
}

/**
 * Renames, pins, archives or restores a conversation. An archived conversation is not pinned.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found`
 */
export async function changeConversation(call: {
  ctx: Ctx;
  input: ChangeConversation & { id: string };
}): Promise<ConversationView> {
  const { id, deleted, ...change } = call.input;
  if (deleted === false && isConversationId(id)) {
    await markRestored(authorize(call.ctx.actor, 'session').userId, id);
  }
  const { user, agent } = await loadConversation(call.ctx, id);
  const changed = await changeStored(user.userId, id, { ...change, at: call.ctx.now });
  if (!changed) throw conversationNotFound();
  return toConversationView(changed, agent);
}

/**
 * Deletes a conversation. It can be restored until its content is erased (eraseDeletedConversations). The agent keeps
 * the data that it has received.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found`
 */
export async function deleteConversation({ ctx, input }: Call<{ id: string }>): Promise<void> {
  const user = authorize(ctx.actor, 'session');
  const isDeleted = isConversationId(input.id) && (await markDeleted(user.userId, input.id, ctx.now));
  if (!isDeleted) throw conversationNotFound();
}

/**
 * Gives the conversations of the browser's guest, with their tasks and files, to the account that is signed in there,
 * and ends the guest. An agent's offer then becomes an order that can be paid. Does nothing if there are no
 * conversations.
 * @throws {ParleyError} `unauthenticated`, `forbidden` without a session
 */
export async function keepGuestConversations({ ctx, input }: Call<{ guest: GuestActor }>): Promise<void> {
  const { userId, credential } = authorize(ctx.actor, 'session');
  const { userId: guestId } = input.guest;
  // A new account stays in the database of the guest.
  await assignSameDatabase(userId, guestId);
  const taskIds = await withMovedRows({ principal: guestId, other: userId }, (copyRows) =>
    inTransaction(async (tx) => {
      if (!(await deleteGuest(tx, guestId))) return [];
      const given = await withRowsOf(tx, userId, async (own) => {
        await copyRows(own);
        const ids = await giveRows(own, { from: guestId, to: userId });
        await adoptTasks(own, ids, { principal: userId, credentialId: credential.id });
        return ids;
      });
      await deleteOwners(tx, [guestId]);
      return given;
    }),
  );
  for (const taskId of taskIds) await replayPaymentEvents({ userId, taskId });
}

/** Returns the view of a conversation for lists. */
export function toConversationView(
  { id, title, updatedAt, pinned, archivedAt, deletedAt }: Conversation,
  { slug, name }: Pick<AgentRecord, 'slug' | 'name'>,
): ConversationView {
  const archived = archivedAt !== null;
  const days = env().RETENTION_DAYS.deleted;
  const erasedAt = deletedAt && days ? new Date(deletedAt.getTime() + days * DAY_MS).toISOString() : null;
  return { id, title, agent: { slug, name }, updatedAt: updatedAt.toISOString(), pinned, archived, erasedAt };
}

/** Returns the ids of the agent's recent chat users, for moderation notifications. */
export function listChatUsers(agentId: string, now: Date): Promise<string[]> {
  return findChatUsers(agentId, new Date(now.getTime() - CHAT_USER_DAYS * DAY_MS));
}

/**
 * Deletes conversations after the retention time of `chat`, and erases the content of conversations that were deleted
 * before the retention time of `deleted`: messages, answers, logs, texts for search, links and feedback. Orders and
 * mandates remain. Each conversation is erased in one transaction, on one node.
 */
export async function eraseDeletedConversations(now: Date): Promise<void> {
  const idleSince = cutoffOf('chat', now);
  if (idleSince) {
    let after: Parameters<typeof deleteIdleConversations>[1]['after'] = null;
    await runBatches(IDLE_DELETION_BATCH, async (limit) => {
      const { count, last } = await deleteIdleConversations(idleSince, { now, limit, after });
      after = last;
      return count;
    });
  }
  const deletedBefore = cutoffOf('deleted', now);
  if (!deletedBefore) return;
  const erasable = listErasable(deletedBefore);
  await runBatches(1, () => eraseNext(erasable, deletedBefore));
}

/** Erases the next conversation that can be erased. Returns 0 if there is none left. */
async function eraseNext(erasable: AsyncGenerator<ConversationRef, void>, deletedBefore: Date): Promise<number> {
  for (let next = await erasable.next(); !next.done; next = await erasable.next()) {
    if (await eraseIfDeleted(next.value, deletedBefore)) return 1;
  }
  return 0;
}

/** Returns false if the conversation was restored, another node erases it, or a payment is in progress. */
function eraseIfDeleted(ref: ConversationRef, deletedBefore: Date): Promise<boolean> {
  return inTransactionOf(
    ref.userId,
    async (tx) => {
      const conversation = await lockErasable(tx, ref, deletedBefore);
      if (!conversation || (await withMainRows(tx, (main) => hasPendingOrder(main, conversation)))) return false;
      const { userId, agentId, contextIds } = conversation;
      const tasks = await eraseContexts(tx, { principal: userId, agentId, contextIds });
      // Not after the commit, because only these tasks identify the calls.
      await withMainRows(tx, (main) => eraseCallContent(main, tasks));
      await eraseConversation(tx, conversation);
      return true;
    },
    ERASE_CONVERSATION_TIMEOUT_MS,
  );
}
