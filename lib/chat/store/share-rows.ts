import { Prisma } from '../../generated/prisma/client';
import type { Db } from '../../platform/db/db';
import { json, nullable, type RowOf, row, text, timestamptz, uuid } from '../../platform/db/rows';
import { execute, executeIn } from '../../platform/db/sql';
import { ofOwner } from '../../platform/db/task-databases/task-statements';
import { type Tx, withRowsOf } from '../../platform/db/tx';
import { newId } from '../../platform/ids';
import type { ExampleTurn } from '../schema-shares';
import type { ConversationRef } from './conversation-rows';

const shareRow = row({
  id: text(),
  conversationId: text(),
  tasks: json<[taskId: string, seq: number][]>(),
  createdAt: timestamptz(),
});
const sharedRow = row({ ...shareRow.columns, title: text(), userId: text(), agentId: text() });

/** A link to a conversation, with the tasks that it shows, each up to and including event `seq`. */
export type Share = RowOf<typeof shareRow>;

/** A link and its owner, whose database has it. */
type ShareRef = Pick<RowOf<typeof sharedRow>, 'userId' | 'id'>;

const columns = 'id, conversation_id AS "conversationId", tasks, created_at AS "createdAt"';

/** Inserts a link; null if the conversation has `owner.max` links or a disabled one, or is deleted. */
export async function insertShare(
  { conversationId, tasks, createdAt }: Omit<Share, 'id'>,
  owner: { userId: string; tokenHash: string; max: number },
): Promise<Share | null> {
  return shareRow.of(owner.userId).queryFirst(
    'chat-insert-share',
    `INSERT INTO conversation_share (id, conversation_id, user_id, token_hash, tasks, created_at)
     SELECT $1, c.id, c.user_id, $4, $5, $6 FROM conversation c
     WHERE c.id = $2 AND c.user_id = $3 AND c.deleted_at IS NULL
       AND (SELECT count(*) FROM conversation_share s WHERE s.user_id = $3 AND s.conversation_id = c.id) < $7
       AND NOT EXISTS (SELECT FROM conversation_share s
         WHERE s.user_id = $3 AND s.conversation_id = c.id AND s.hidden_at IS NOT NULL)
     FOR KEY SHARE OF c
     RETURNING ${columns}`,
    [newId('shr'), conversationId, owner.userId, owner.tokenHash, JSON.stringify(tasks), createdAt, owner.max],
  );
}

/** Returns the active links to one conversation of a user, newest first. */
export function findShares(userId: string, conversationId: string): Promise<Share[]> {
  return shareRow.of(userId).query(
    'chat-shares',
    `SELECT ${columns} FROM conversation_share WHERE user_id = $1 AND conversation_id = $2 AND hidden_at IS NULL
     ORDER BY created_at DESC, id`,
    [userId, conversationId],
  );
}

/** Returns all links of a user, including disabled ones, newest first. */
export function findSharesBy(userId: string): Promise<Share[]> {
  return shareRow
    .of(userId)
    .query(
      'chat-shares-by',
      `SELECT ${columns} FROM conversation_share WHERE user_id = $1 ORDER BY created_at DESC, id`,
      [userId],
    );
}

/**
 * Finds the active link with this token; null if there is none. Not cached, so that revocation takes effect
 * immediately.
 */
export async function findShareByToken(tokenHash: string): Promise<RowOf<typeof sharedRow> | null> {
  const text = `SELECT s.id, s.conversation_id AS "conversationId", s.tasks, s.created_at AS "createdAt", c.title,
       c.user_id AS "userId", c.agent_id AS "agentId"
     FROM conversation_share s JOIN conversation c ON c.user_id = s.user_id AND c.id = s.conversation_id
     WHERE s.token_hash = $1 AND s.hidden_at IS NULL AND c.deleted_at IS NULL`;
  return sharedRow.inEach().queryFirst('chat-share-by-token', text, [tokenHash]);
}

/** Returns true if moderation disabled a link to the conversation. */
export async function hasDisabledShare({ userId, id }: ConversationRef): Promise<boolean> {
  const text =
    'SELECT FROM conversation_share WHERE conversation_id = $1 AND user_id = $2 AND hidden_at IS NOT NULL LIMIT 1';
  return (await ofOwner(userId).execute('chat-disabled-share', text, [id, userId])) > 0;
}

/** Deletes a user's link. Returns false if there is none. A disabled link remains, in order to block new ones. */
export async function removeShare(userId: string, id: string): Promise<boolean> {
  const count = await ofOwner(userId).execute(
    'chat-remove-share',
    'DELETE FROM conversation_share WHERE id = $1 AND user_id = $2 AND hidden_at IS NULL RETURNING id',
    [id, userId],
  );
  return count > 0;
}

/** Disables a user's link for moderation as of `since`; null enables it again. Repeatable. */
export async function setShareDisabled(tx: Tx, { userId, id }: ShareRef, since: Date | null): Promise<void> {
  const disable = Prisma.sql`UPDATE conversation_share SET hidden_at = ${since} WHERE id = ${id} AND user_id = ${userId}`;
  await withRowsOf(tx, userId, (own) => executeIn(own, disable));
}

const exampleRow = row({
  id: text(),
  agentId: text(),
  authorId: text(),
  taskId: uuid(),
  turns: json<ExampleTurn[]>(),
  publishedAt: timestamptz(),
  hiddenAt: nullable(timestamptz()),
});

/** The example conversation of an agent, including one removed by moderation. */
export type ExampleRecord = RowOf<typeof exampleRow>;

const exampleColumns = `id, agent_id AS "agentId", author_id AS "authorId", task_id AS "taskId", turns,
  published_at AS "publishedAt", hidden_at AS "hiddenAt"`;

/** Returns the example conversation of an agent; null if there is none. */
export function selectExample(agentId: string): Promise<ExampleRecord | null> {
  const query = `SELECT ${exampleColumns} FROM example_conversation WHERE agent_id = $1`;
  return exampleRow.queryFirst('chat-example', query, [agentId]);
}

/** Returns the example conversation with this id; null if there is none. */
export function selectExampleById(id: string): Promise<ExampleRecord | null> {
  return exampleRow.queryFirst(
    'chat-example-by-id',
    `SELECT ${exampleColumns} FROM example_conversation WHERE id = $1`,
    [id],
  );
}

/** Returns the example conversations that a user published. */
export function selectExamplesBy(authorId: string): Promise<ExampleRecord[]> {
  return exampleRow.query(
    'chat-examples-by',
    `SELECT ${exampleColumns} FROM example_conversation WHERE author_id = $1 ORDER BY published_at`,
    [authorId],
  );
}

/** Publishes or replaces the example conversation of an agent; null if moderation removed the current one. */
export async function upsertExample(example: Omit<ExampleRecord, 'hiddenAt'>): Promise<ExampleRecord | null> {
  const { id, agentId, authorId, taskId, turns, publishedAt } = example;
  return exampleRow.queryFirst(
    'chat-upsert-example',
    `INSERT INTO example_conversation (id, agent_id, author_id, task_id, turns, published_at)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (agent_id) DO UPDATE SET author_id = excluded.author_id, task_id = excluded.task_id,
       turns = excluded.turns, published_at = excluded.published_at
     WHERE example_conversation.hidden_at IS NULL
     RETURNING ${exampleColumns}`,
    [id, agentId, authorId, taskId, JSON.stringify(turns), publishedAt],
  );
}

/**
 * Removes the example conversation of an agent. Returns false if there is none. An example that moderation removed is
 * kept.
 */
export async function removeExample(agentId: string): Promise<boolean> {
  const query = 'DELETE FROM example_conversation WHERE agent_id = $1 AND hidden_at IS NULL RETURNING id';
  return (await execute('chat-remove-example', query, [agentId])) > 0;
}

/** Hides an example conversation for moderation as of `since`; null shows it again. */
export async function setExampleHidden(tx: Db, id: string, since: Date | null): Promise<void> {
  await executeIn(tx, Prisma.sql`UPDATE example_conversation SET hidden_at = ${since} WHERE id = ${id}`);
}
