import { Prisma } from '../../generated/prisma/client';
import { pendingOrderStates } from '../../payments/schema-states';
import { type RowOf, row, text, textArray, timestamptz } from '../../platform/db/rows';
import { executeIn } from '../../platform/db/sql';
import { executeOfAll } from '../../platform/db/task-databases/task-statements';
import type { Tx } from '../../platform/db/tx';
import { selectTasksWithOrders } from '../../tasks';
import { ERASABLE_PAGE_SIZE } from '../limits';
import type { ConversationRef } from './conversation-rows';

const contextsSql = `(SELECT c.context_id UNION SELECT b.context_id FROM conversation_branch b
  WHERE b.user_id = c.user_id AND b.conversation_id = c.id)`;

/** SQL condition that is true for a task `t` of conversation `c`. */
const ofConversationSql = `t.principal = c.user_id AND t.agent_id = c.agent_id AND t.delegation IS NULL AND t.context_id IN ${contextsSql}`;

const idleRow = row({ id: text(), userId: text(), at: timestamptz(), taskIds: textArray(), shareIds: textArray() });
const targetRow = row({ id: text() });

/** The last conversation that was examined. */
interface IdlePosition {
  at: Date;
  id: string;
}

/** SQL for the ids of the tasks of conversation `c`, and of those that agents created for them. */
const involvedSql = `ARRAY(
  WITH own AS (
    SELECT t.principal, t.id FROM task t WHERE t.run_node IS NULL AND ${ofConversationSql}
    UNION ALL SELECT t.principal, t.id FROM task t WHERE t.run_node IS NOT NULL AND ${ofConversationSql}
  ) SELECT id::text FROM own
  UNION SELECT d.task_id::text FROM own JOIN chain_task d ON d.principal = own.principal AND d.root_task_id = own.id)`;

/** SQL condition that is true if a task of conversation `c` runs or waits for its caller. */
const isOpenSql = `EXISTS (SELECT FROM task t WHERE t.run_node IS NOT NULL AND ${ofConversationSql})
  OR EXISTS (SELECT FROM task t WHERE t.run_node IS NULL AND ${ofConversationSql}
    AND t.state NOT IN ('completed', 'failed', 'canceled', 'rejected'))`;

/**
 * Examines the next `limit` conversations without a message since `cutoff`, and deletes those without an unfinished
 * task, an order, or a shared link under moderation. Returns the number examined, and the position after them.
 */
export async function deleteIdleConversations(
  cutoff: Date,
  { now, limit, after }: { now: Date; limit: number; after: IdlePosition | null },
): Promise<{ count: number; last: IdlePosition | null }> {
  const found = await idleRow.inAvailable().query(
    'chat-idle',
    `SELECT c.id, c.user_id AS "userId", c.updated_at AS at, ${involvedSql} AS "taskIds",
       ARRAY(SELECT s.id FROM conversation_share s WHERE s.user_id = c.user_id AND s.conversation_id = c.id) AS "shareIds"
     FROM conversation c WHERE c.updated_at < $1 AND c.deleted_at IS NULL
       AND ($2::timestamptz IS NULL OR (c.updated_at, c.id) > ($2, $3))
     ORDER BY c.updated_at, c.id LIMIT $4`,
    [cutoff, after?.at ?? null, after?.id ?? null, limit],
  );
  const idle = found.sort(comparePositions).slice(0, limit);
  const withOrders = new Set(await selectTasksWithOrders(idle.flatMap(({ taskIds }) => taskIds)));
  const moderated = new Set(await selectModeratedShares(idle.flatMap(({ shareIds }) => shareIds)));
  const free = idle.filter(
    ({ taskIds, shareIds }) => !taskIds.some((id) => withOrders.has(id)) && !shareIds.some((id) => moderated.has(id)),
  );
  await executeOfAll([...new Set(free.map(({ userId }) => userId))], {
    name: 'chat-delete-idle',
    text: `UPDATE conversation SET deleted_at = $2, pinned = false WHERE (user_id, id) IN (
       SELECT c.user_id, c.id FROM conversation c WHERE c.id = ANY($3) AND c.user_id = ANY($4) AND c.updated_at < $1 AND c.deleted_at IS NULL
         AND NOT (${isOpenSql}) ORDER BY c.updated_at FOR UPDATE SKIP LOCKED)`,
    valuesOf: (userIds) => [cutoff, now, free.map(({ id }) => id), userIds],
  });
  return { count: idle.length, last: idle.at(-1) ?? null };
}

function comparePositions(one: IdlePosition, other: IdlePosition): number {
  return one.at.getTime() - other.at.getTime() || (one.id < other.id ? -1 : 1);
}

/** Selects those of these links that moderators examine. */
async function selectModeratedShares(ids: string[]): Promise<string[]> {
  const rows = await targetRow.query(
    'chat-moderated-shares',
    `SELECT target_id AS id FROM moderation_case
     WHERE kind = 'share' AND target_id = ANY($1) AND state IN ('open', 'appealed')`,
    [ids],
  );
  return rows.map(({ id }) => id);
}

const erasableRow = row({ id: text(), userId: text(), agentId: text(), contextIds: textArray(), taskIds: textArray() });

/** A conversation whose content is to be erased. */
type ErasableConversation = RowOf<typeof erasableRow>;

const erasableRefRow = row({ id: text(), userId: text() });

/** Yields the conversations that were deleted before `cutoff`. */
export async function* listErasable(cutoff: Date): AsyncGenerator<ConversationRef, void> {
  for (let after = ''; ; ) {
    const found = await erasableRefRow.inAvailable().query(
      'chat-erasable',
      `SELECT id, user_id AS "userId" FROM conversation WHERE deleted_at < $1 AND id > $2
       ORDER BY id LIMIT ${ERASABLE_PAGE_SIZE}`,
      [cutoff, after],
    );
    const page = found.sort((one, other) => (one.id < other.id ? -1 : 1)).slice(0, ERASABLE_PAGE_SIZE);
    yield* page;
    if (page.length < ERASABLE_PAGE_SIZE) return;
    after = page.at(-1)?.id ?? after;
  }
}

/** Returns true while a payment of the conversation, or of an agent hired in it, is in progress. */
export async function hasPendingOrder(tx: Tx, { userId, contextIds, taskIds }: ErasableConversation): Promise<boolean> {
  const pending = await targetRow.queryIn(
    tx,
    Prisma.sql`SELECT id FROM payment_order WHERE user_id = ${userId} AND state = ANY(${pendingOrderStates})
      AND (context_id::text = ANY(${contextIds}) OR task_id = ANY(${taskIds}::uuid[])) LIMIT 1`,
  );
  return pending.length > 0;
}

/**
 * Locks a conversation until the transaction ends. Null if it was restored, is erased, or another node has locked it.
 */
export async function lockErasable(
  tx: Tx,
  { userId, id }: ConversationRef,
  cutoff: Date,
): Promise<ErasableConversation | null> {
  const [locked] = await erasableRow.queryIn(
    tx,
    Prisma.sql`SELECT c.id, c.user_id AS "userId", c.agent_id AS "agentId", array${Prisma.raw(contextsSql)} AS "contextIds",
        ${Prisma.raw(involvedSql)} AS "taskIds"
      FROM conversation c WHERE c.id = ${id} AND c.user_id = ${userId} AND c.deleted_at < ${cutoff}
      FOR UPDATE OF c SKIP LOCKED`,
  );
  return locked ?? null;
}

/** The tables with rows of conversations, besides their own. */
const conversationTables = [
  'conversation_branch',
  'conversation_text',
  'conversation_index_cursor',
  'conversation_share',
  'answer_feedback',
  'web_push_seen',
];

/** Erases a conversation with its branches, texts, links and feedback. */
export async function eraseConversation(tx: Tx, { userId, id }: ConversationRef): Promise<void> {
  await executeIn(tx, Prisma.sql`DELETE FROM conversation WHERE id = ${id} AND user_id = ${userId}`);
  for (const table of conversationTables) {
    await executeIn(
      tx,
      Prisma.sql`DELETE FROM ${Prisma.raw(table)} WHERE conversation_id = ${id} AND user_id = ${userId}`,
    );
  }
}

/** Deletes all conversations of a user. */
export async function eraseConversations(tx: Tx, userId: string): Promise<void> {
  for (const table of ['conversation', ...conversationTables]) {
    await executeIn(tx, Prisma.sql`DELETE FROM ${Prisma.raw(table)} WHERE user_id = ${userId}`);
  }
}
