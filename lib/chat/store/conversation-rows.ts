import { bool, nullable, type RowOf, row, text, timestamptz, uuid } from '../../platform/db/rows';
import { ofOwner } from '../../platform/db/task-databases/task-statements';
import { newId } from '../../platform/ids';
import { MAX_CHAT_USERS } from '../limits';

const conversationRow = row({
  id: text(),
  userId: text(),
  agentId: text(),
  /** Context of the first branch. */
  contextId: text(),
  /** Context of the branch with the latest message. */
  currentContextId: text(),
  title: text(),
  updatedAt: timestamptz(),
  pinned: bool(),
  archivedAt: nullable(timestamptz()),
  deletedAt: nullable(timestamptz()),
});

/** A titled chat between a user and an agent, in one or more A2A contexts. */
export type Conversation = RowOf<typeof conversationRow>;

/** A conversation and its owner, whose database has it. */
export type ConversationRef = Pick<Conversation, 'userId' | 'id'>;

const columns = `id, user_id AS "userId", agent_id AS "agentId", context_id AS "contextId",
  coalesce(current_context_id, context_id) AS "currentContextId", title, updated_at AS "updatedAt", pinned,
  archived_at AS "archivedAt", deleted_at AS "deletedAt"`;

interface ConversationFilter {
  /** Substring of the title, case-insensitive. */
  search: string;
  archived: boolean;
  /** True to find deleted conversations, archived or not, instead of the others. */
  deleted: boolean;
  before: { pinned: boolean; updatedAt: Date; id: string } | null;
  limit: number;
}

/** Returns the user's conversations that match the filter, pinned ones first, then newest first. */
export function findConversations(
  userId: string,
  { search, archived, deleted, before, limit }: ConversationFilter,
): Promise<Conversation[]> {
  return conversationRow.of(userId).query(
    'chat-list',
    `SELECT ${columns} FROM conversation
     WHERE user_id = $1 AND ($2::text = '' OR title ILIKE $3) AND (deleted_at IS NOT NULL) = $9
       AND ($9 OR (archived_at IS NOT NULL) = $4)
       AND ($5::timestamptz IS NULL OR (pinned, updated_at, id) < ($6, $5, $7))
     ORDER BY pinned DESC, updated_at DESC, id DESC LIMIT $8`,
    [
      userId,
      search,
      `%${search.replace(/[\\%_]/g, '\\$&')}%`,
      archived,
      before?.updatedAt ?? null,
      before?.pinned ?? null,
      before?.id ?? null,
      limit,
      deleted,
    ],
  );
}

/** Finds a conversation; null if it is unknown, deleted or another user's. */
export async function findConversation(userId: string, id: string): Promise<Conversation | null> {
  if (!isConversationId(id)) return null;
  return conversationRow
    .of(userId)
    .queryFirst(
      'chat-find',
      `SELECT ${columns} FROM conversation WHERE id = $1 AND user_id = $2 AND deleted_at IS NULL`,
      [id, userId],
    );
}

/** Returns the user's conversation whose first branch has this context; null if there is none. */
export async function findConversationByContext(userId: string, contextId: string): Promise<Conversation | null> {
  return conversationRow
    .of(userId)
    .queryFirst('chat-find-context', `SELECT ${columns} FROM conversation WHERE user_id = $1 AND context_id = $2`, [
      userId,
      contextId,
    ]);
}

type ConversationDraft = Pick<Conversation, 'userId' | 'agentId' | 'contextId' | 'title' | 'updatedAt'>;

/** Inserts a conversation, or returns the existing one for this user and context. */
export async function upsertConversation(draft: ConversationDraft): Promise<Conversation> {
  const { userId, agentId, contextId, title, updatedAt } = draft;
  const rows = await conversationRow.of(userId).query(
    'chat-save',
    `INSERT INTO conversation (id, user_id, agent_id, context_id, title, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6)
     ON CONFLICT (user_id, context_id) DO UPDATE SET updated_at = greatest(conversation.updated_at, excluded.updated_at)
     RETURNING ${columns}`,
    [newId('cnv'), userId, agentId, contextId, title, updatedAt],
  );
  const [saved] = rows;
  if (!saved) throw new Error('an upsert that answers its row answered none');
  return saved;
}

/** Moves a conversation to the top of the list, out of the archive, and makes the given branch its current one. */
export async function touchConversation({ userId, id }: ConversationRef, contextId: string, at: Date): Promise<void> {
  await ofOwner(userId).execute(
    'chat-touch',
    `UPDATE conversation SET updated_at = greatest(updated_at, $2), current_context_id = $3, archived_at = NULL
     WHERE id = $1 AND user_id = $4`,
    [id, at, contextId, userId],
  );
}

/** The changes that a user may make to a conversation. Absent members stay unchanged. */
interface ConversationChange {
  title?: string;
  pinned?: boolean;
  archived?: boolean;
  /** The time of archiving. */
  at: Date;
}

/**
 * Changes a conversation; null if it is not this user's. Archiving unpins a conversation, and pinning restores it from
 * the archive.
 */
export async function changeConversation(
  userId: string,
  id: string,
  { title, pinned, archived = pinned ? false : undefined, at }: ConversationChange,
): Promise<Conversation | null> {
  return conversationRow.of(userId).queryFirst(
    'chat-change',
    `UPDATE conversation SET title = coalesce($3, title),
       pinned = coalesce($4::boolean, pinned) AND NOT coalesce($5::boolean, archived_at IS NOT NULL),
       archived_at = CASE WHEN $5::boolean THEN coalesce(archived_at, $6::timestamptz) WHEN NOT $5::boolean THEN NULL
         ELSE archived_at END
     WHERE id = $1 AND user_id = $2 AND deleted_at IS NULL RETURNING ${columns}`,
    [id, userId, title ?? null, pinned ?? null, archived ?? null, at],
  );
}

// PostgreSQL rejects some other texts, such as those with NUL.
export function isConversationId(id: string): boolean {
  return /^cnv_[0-9a-z]{1,40}$/.test(id);
}

const userRow = row({ userId: text(), at: timestamptz() });

/**
 * Returns the ids of at most {@link MAX_CHAT_USERS} users with a conversation with the agent that was updated since the
 * given time, most recently updated first. Leaves out those whose task database is unavailable.
 */
export async function findChatUsers(agentId: string, since: Date): Promise<string[]> {
  const rows = await userRow.inAvailable().query(
    'chat-users',
    `SELECT user_id AS "userId", max(updated_at) AS at FROM conversation WHERE agent_id = $1 AND updated_at >= $2
     GROUP BY user_id ORDER BY at DESC LIMIT ${MAX_CHAT_USERS}`,
    [agentId, since],
  );
  const latest = rows.sort((one, other) => other.at.getTime() - one.at.getTime()).slice(0, MAX_CHAT_USERS);
  return latest.map(({ userId }) => userId);
}

const branchRow = row({ contextId: text(), forkContextId: text(), forkTaskId: uuid() });

/** A branch of a conversation, which replaces a task of another branch and all later ones. */
export type Branch = RowOf<typeof branchRow>;

/** Returns the branches of a conversation except its first one, oldest first. Does not check ownership. */
export function findBranches({ userId, id }: ConversationRef): Promise<Branch[]> {
  return branchRow.of(userId).query(
    'chat-branches',
    `SELECT context_id AS "contextId", fork_context_id AS "forkContextId", fork_task_id AS "forkTaskId"
     FROM conversation_branch WHERE user_id = $2 AND conversation_id = $1 ORDER BY created_at, context_id`,
    [id, userId],
  );
}

/** Inserts a branch. Does nothing if it exists. */
export async function insertBranch({ userId, id }: ConversationRef, branch: Branch, at: Date): Promise<void> {
  await ofOwner(userId).execute(
    'chat-insert-branch',
    `INSERT INTO conversation_branch (user_id, conversation_id, context_id, fork_context_id, fork_task_id, created_at)
     SELECT user_id, id, $2, $3, $4, $5 FROM conversation WHERE user_id = $6 AND id = $1 FOR KEY SHARE
     ON CONFLICT DO NOTHING`,
    [id, branch.contextId, branch.forkContextId, branch.forkTaskId, at, userId],
  );
}

/** Returns true if the context is a branch of one of the user's conversations. */
export async function isOwnContext(userId: string, contextId: string): Promise<boolean> {
  const count = await ofOwner(userId).execute(
    'chat-own-context',
    `SELECT 1 FROM conversation c WHERE c.user_id = $1 AND c.deleted_at IS NULL AND (c.context_id = $2 OR EXISTS (
       SELECT FROM conversation_branch b WHERE b.user_id = $1 AND b.conversation_id = c.id AND b.context_id = $2)) LIMIT 1`,
    [userId, contextId],
  );
  return count > 0;
}

/**
 * Marks a conversation as deleted, so that it can be restored. Returns false if it is not this user's, or is already
 * deleted.
 */
export async function markDeleted(userId: string, id: string, at: Date): Promise<boolean> {
  const statement = `UPDATE conversation SET deleted_at = $3, pinned = false
    WHERE id = $1 AND user_id = $2 AND deleted_at IS NULL`;
  return (await ofOwner(userId).execute('chat-remove', statement, [id, userId, at])) > 0;
}

/** Restores a deleted conversation. */
export async function markRestored(userId: string, id: string): Promise<void> {
  const statement = 'UPDATE conversation SET deleted_at = NULL WHERE id = $1 AND user_id = $2';
  await ofOwner(userId).execute('chat-restore', statement, [id, userId]);
}
