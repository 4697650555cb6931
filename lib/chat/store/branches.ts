import { query } from '../../platform/sql';

/** Another version of a conversation, in place of a task of an earlier one. */
export interface Branch {
  contextId: string;
  forkContextId: string;
  forkTaskId: string;
}

/** The versions of a conversation beside its first one, oldest first. The conversation must be known to be the asker's. */
export function findBranches(conversationId: string): Promise<Branch[]> {
  return query<Branch>(
    'chat-branches',
    `SELECT context_id AS "contextId", fork_context_id AS "forkContextId", fork_task_id AS "forkTaskId"
     FROM conversation_branch WHERE conversation_id = $1 ORDER BY created_at, context_id`,
    [conversationId],
  );
}

/** Keeps a new version; one that is there already stays as it is. */
export async function insertBranch(conversationId: string, branch: Branch, at: Date): Promise<void> {
  await query(
    'chat-keep-branch',
    `INSERT INTO conversation_branch (conversation_id, context_id, fork_context_id, fork_task_id, created_at)
     VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
    [conversationId, branch.contextId, branch.forkContextId, branch.forkTaskId, at],
  );
}

/** True when the context is a version of one of the person's conversations. */
export async function isOwnContext(userId: string, contextId: string): Promise<boolean> {
  const rows = await query(
    'chat-context-kept',
    `SELECT 1 FROM conversation c WHERE c.user_id = $1 AND (c.context_id = $2 OR EXISTS (
       SELECT FROM conversation_branch b WHERE b.conversation_id = c.id AND b.context_id = $2)) LIMIT 1`,
    [userId, contextId],
  );
  return rows.length > 0;
}
