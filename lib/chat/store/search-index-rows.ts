import { int4, type RowOf, row, text, textArray, timestamptz, uuid } from '../../platform/db/rows';
import { ofOwner } from '../../platform/db/task-databases/task-statements';
import { INDEX_IDLE_MINUTES } from '../limits';
import type { ConversationRef } from './conversation-rows';

/** One indexed message or artifact. */
export interface IndexedText {
  position: number;
  role: 'user' | 'agent';
  sentAt: Date;
  text: string;
  folded: string;
}

const staleRow = row({ id: text(), userId: text(), agentId: text(), contextIds: textArray() });

/** A conversation whose texts may have changed since it was indexed. */
export type StaleConversation = RowOf<typeof staleRow>;

const idleAfter = `interval '${INDEX_IDLE_MINUTES} minutes'`;

/** The condition of the partial index conversation_stale_idx. */
const isStaleSql = `(indexed_at IS NULL OR (indexed_at AT TIME ZONE 'UTC') < (updated_at AT TIME ZONE 'UTC') + interval '65 minutes')`;

const staleColumns = `c.id, c.user_id AS "userId", c.agent_id AS "agentId",
  array(SELECT c.context_id UNION SELECT b.context_id FROM conversation_branch b
    WHERE b.user_id = c.user_id AND b.conversation_id = c.id) AS "contextIds"`;

/** Returns the user's stale conversations, newest first. */
export function findStaleConversations(userId: string, limit: number): Promise<StaleConversation[]> {
  return staleRow.of(userId).query(
    'chat-stale',
    `SELECT ${staleColumns} FROM conversation c
     WHERE c.user_id = $1 AND c.deleted_at IS NULL AND (c.indexed_at IS NULL OR c.indexed_at < c.updated_at + ${idleAfter})
     ORDER BY c.updated_at DESC LIMIT $2`,
    [userId, limit],
  );
}

/** Claims one idle conversation of each database that is not fully indexed, for this node only. */
export function claimIdleConversations(now: Date): Promise<StaleConversation[]> {
  return staleRow.inAvailable().query(
    'chat-claim-idle',
    `UPDATE conversation c SET indexed_at = $1
     WHERE (c.user_id, c.id) IN (
       SELECT user_id, id FROM conversation
       WHERE ${isStaleSql} AND deleted_at IS NULL
         AND (indexed_at IS NULL OR updated_at < $1::timestamptz - ${idleAfter})
       ORDER BY updated_at LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING ${staleColumns}`,
    [now],
  );
}

const indexedRow = row({ taskId: uuid(), seq: int4() });

/** Returns the last indexed event of each task of a conversation. */
export async function findIndexedSeqs({ userId, id }: ConversationRef): Promise<Map<string, number>> {
  const rows = await indexedRow
    .of(userId)
    .query(
      'chat-indexed',
      'SELECT task_id AS "taskId", seq FROM conversation_index_cursor WHERE user_id = $2 AND conversation_id = $1',
      [id, userId],
    );
  return new Map(rows.map(({ taskId, seq }) => [taskId, seq]));
}

interface TaskTexts {
  conversation: ConversationRef;
  taskId: string;
  contextId: string;
  seq: number;
  texts: IndexedText[];
}

/**
 * Replaces the indexed texts of a task. Does nothing if the conversation was deleted in the meantime, or if the task is
 * already indexed up to `seq`.
 */
export async function saveTexts({ conversation, taskId, contextId, seq, texts }: TaskTexts): Promise<void> {
  await ofOwner(conversation.userId).execute(
    'chat-save-texts',
    `WITH existing AS (SELECT id FROM conversation WHERE user_id = $3 AND id = $2 FOR KEY SHARE), indexed AS (
       INSERT INTO conversation_index_cursor (user_id, task_id, conversation_id, seq) SELECT $3, $1, id, $5::int FROM existing
       ON CONFLICT ON CONSTRAINT conversation_index_cursor_pkey DO UPDATE SET seq = excluded.seq WHERE conversation_index_cursor.seq < excluded.seq
       RETURNING task_id
     ), deleted AS (
       DELETE FROM conversation_text t USING indexed
       WHERE t.user_id = $3 AND t.task_id = indexed.task_id AND t.position <> ALL ($6::int[])
     )
     INSERT INTO conversation_text (task_id, position, conversation_id, user_id, context_id, role, sent_at, text, folded)
     SELECT indexed.task_id, t.position, $2, $3, $4, t.role, t.sent_at, t.text, t.folded
     FROM indexed, unnest($6::int[], $7::text[], $8::timestamptz[], $9::text[], $10::text[]) AS t(position, role, sent_at, text, folded)
     ON CONFLICT ON CONSTRAINT conversation_text_pkey DO UPDATE
       SET role = excluded.role, text = excluded.text, folded = excluded.folded, sent_at = excluded.sent_at`,
    [
      taskId,
      conversation.id,
      conversation.userId,
      contextId,
      seq,
      texts.map(({ position }) => position),
      texts.map(({ role }) => role),
      texts.map(({ sentAt }) => sentAt),
      texts.map(({ text }) => text),
      texts.map(({ folded }) => folded),
    ],
  );
}

/** Sets the time up to which a conversation is indexed; null marks it as stale. */
export async function markIndexed({ userId, id }: ConversationRef, at: Date | null): Promise<void> {
  const statement = 'UPDATE conversation SET indexed_at = $3 WHERE id = $1 AND user_id = $2';
  await ofOwner(userId).execute('chat-mark-indexed', statement, [id, userId, at]);
}

const foundTextRow = row({
  conversationId: text(),
  contextId: text(),
  taskId: uuid(),
  role: text<'user' | 'agent'>(),
  sentAt: timestamptz(),
  text: text(),
});

export type FoundText = RowOf<typeof foundTextRow>;

interface TextFilter {
  userId: string;
  /** Folded words, all of which a text must contain. */
  words: string[];
  conversationId: string | null;
  perConversation: number;
  limit: number;
}

/** Returns the user's texts that contain all of these words, newest first. */
export function findTexts(filter: TextFilter): Promise<FoundText[]> {
  const { userId, words, conversationId, perConversation, limit } = filter;
  return foundTextRow.of(userId).query(
    'chat-find-texts',
    `WITH hit AS (
       SELECT task_id, position, sent_at, row_number() OVER (PARTITION BY conversation_id ORDER BY sent_at DESC, position DESC) AS rank
       FROM conversation_text
       WHERE user_id = $1 AND conversation_id NOT IN (SELECT id FROM conversation WHERE user_id = $1 AND deleted_at IS NOT NULL)
         AND ($3::text IS NULL OR conversation_id = $3)
         AND (SELECT bool_and(strpos(folded, word) > 0) FROM unnest($2::text[]) AS w(word))
     ), best AS (
       SELECT task_id, position FROM hit WHERE rank <= $4 ORDER BY sent_at DESC, task_id, position DESC LIMIT $5
     )
     SELECT t.conversation_id AS "conversationId", t.context_id AS "contextId", t.task_id AS "taskId", t.role,
       t.sent_at AS "sentAt", t.text
     FROM best JOIN conversation_text t ON t.user_id = $1 AND (t.task_id, t.position) = (best.task_id, best.position)
     ORDER BY t.sent_at DESC, t.task_id, t.position DESC`,
    [userId, words, conversationId, perConversation, limit],
  );
}
