import type { Db } from '../../platform/db';
import { newId } from '../../platform/ids';
import { query } from '../../platform/sql';

/** A conversation as it is kept: a name and a place in the sidebar for one context of the gateway. */
export interface Conversation {
  id: string;
  userId: string;
  agentId: string;
  /** The version that it was first told in. */
  contextId: string;
  /** The version in which its latest message stands. */
  currentContextId: string;
  title: string;
  updatedAt: Date;
}

const columns = `id, user_id AS "userId", agent_id AS "agentId", context_id AS "contextId",
  coalesce(current_context_id, context_id) AS "currentContextId", title, updated_at AS "updatedAt"`;

export interface ConversationFilter {
  /** Text that the title must contain, in any case. */
  search: string;
  before: { updatedAt: Date; id: string } | null;
  limit: number;
}

/** The person's conversations, latest first. */
export function findConversations(
  userId: string,
  { search, before, limit }: ConversationFilter,
): Promise<Conversation[]> {
  return query<Conversation>(
    'chat-list',
    `SELECT ${columns} FROM conversation
     WHERE user_id = $1 AND ($2::text = '' OR title ILIKE $3)
       AND ($4::timestamptz IS NULL OR (updated_at, id) < ($4, $5))
     ORDER BY updated_at DESC, id DESC LIMIT $6`,
    [userId, search, `%${search.replace(/[\\%_]/g, '\\$&')}%`, before?.updatedAt ?? null, before?.id ?? null, limit],
  );
}

/** The conversation when it is this person's; foreign and unknown are alike null. */
export async function findConversation(userId: string, id: string): Promise<Conversation | null> {
  if (!isConversationId(id)) return null;
  const rows = await query<Conversation>(
    'chat-find',
    `SELECT ${columns} FROM conversation WHERE id = $1 AND user_id = $2`,
    [id, userId],
  );
  return rows[0] ?? null;
}

/** The person's conversation over this context. */
export async function findConversationByContext(userId: string, contextId: string): Promise<Conversation | null> {
  const rows = await query<Conversation>(
    'chat-find-context',
    `SELECT ${columns} FROM conversation WHERE user_id = $1 AND context_id = $2`,
    [userId, contextId],
  );
  return rows[0] ?? null;
}

/** Keeps a new conversation, or answers the one that is kept already; one per person and context. */
export async function upsertConversation(draft: Omit<Conversation, 'id' | 'currentContextId'>): Promise<Conversation> {
  const { userId, agentId, contextId, title, updatedAt } = draft;
  const rows = await query<Conversation>(
    'chat-keep',
    `INSERT INTO conversation (id, user_id, agent_id, context_id, title, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6)
     ON CONFLICT (user_id, context_id) DO UPDATE SET updated_at = greatest(conversation.updated_at, excluded.updated_at)
     RETURNING ${columns}`,
    [newId('cnv'), userId, agentId, contextId, title, updatedAt],
  );
  const [row] = rows;
  if (!row) throw new Error('an upsert that answers its row answered none');
  return row;
}

/** Brings a conversation to the top of the list, and the version in which something was said to its front. */
export async function touchConversation(id: string, contextId: string, at: Date): Promise<void> {
  await query(
    'chat-touch',
    'UPDATE conversation SET updated_at = greatest(updated_at, $2), current_context_id = $3 WHERE id = $1',
    [id, at, contextId],
  );
}

/** The conversation under its new name; null when it is not this person's. */
export async function updateTitle(userId: string, id: string, title: string): Promise<Conversation | null> {
  const rows = await query<Conversation>(
    'chat-rename',
    `UPDATE conversation SET title = $3 WHERE id = $1 AND user_id = $2 RETURNING ${columns}`,
    [id, userId, title],
  );
  return rows[0] ?? null;
}

/** True when it was this person's and is gone now. */
export async function removeConversation(userId: string, id: string): Promise<boolean> {
  if (!isConversationId(id)) return false;
  const rows = await query('chat-remove', 'DELETE FROM conversation WHERE id = $1 AND user_id = $2 RETURNING id', [
    id,
    userId,
  ]);
  return rows.length > 0;
}

// Anything else was never given out, and some of it the database refuses to compare.
function isConversationId(id: string): boolean {
  return /^cnv_[0-9a-z]{1,40}$/.test(id);
}

/** Removes all conversations of a person. */
export async function eraseConversations(tx: Db, userId: string): Promise<void> {
  await tx.conversation.deleteMany({ where: { userId } });
}

/** Who talked to an agent since then; at most 5,000 people, the latest first. */
export async function findChatUsers(agentId: string, since: Date): Promise<string[]> {
  const rows = await query<{ userId: string }>(
    'chat-people',
    `SELECT user_id AS "userId" FROM conversation WHERE agent_id = $1 AND updated_at >= $2
     GROUP BY user_id ORDER BY max(updated_at) DESC LIMIT 5000`,
    [agentId, since],
  );
  return rows.map(({ userId }) => userId);
}
