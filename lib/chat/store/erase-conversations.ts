import { Prisma } from '../../generated/prisma/client';
import { pendingOrderStates } from '../../payments/schema-states';
import type { Db } from '../../platform/db/db';
import { type RowOf, row, text, textArray } from '../../platform/db/rows';
import { execute, executeIn } from '../../platform/db/sql';
import type { Tx } from '../../platform/db/tx';

const contextsSql = `(SELECT c.context_id UNION SELECT b.context_id FROM conversation_branch b WHERE b.conversation_id = c.id)`;

/** SQL condition that is true for a task `t` of conversation `c`. */
const ofConversationSql = `t.principal = c.user_id AND t.agent_id = c.agent_id AND t.delegation IS NULL AND t.context_id IN ${contextsSql}`;

/**
 * SQL condition that is true if a task `t`, or a task that an agent created for it, is running, waits for its caller,
 * or has an order.
 */
const keepsSql = `(t.state NOT IN ('completed', 'failed', 'canceled', 'rejected')
  OR EXISTS (SELECT FROM payment_order o WHERE o.task_id = t.id)
  OR EXISTS (SELECT FROM chain_task d JOIN payment_order o ON o.task_id = d.task_id WHERE d.root_task_id = t.id))`;

/**
 * Deletes at most `limit` conversations without a message since `cutoff`, and returns their number. Keeps conversations
 * with an unfinished task, an order, or a shared link under moderation.
 */
export function deleteIdleConversations(cutoff: Date, { now, limit }: { now: Date; limit: number }): Promise<number> {
  return execute(
    'chat-delete-idle',
    `UPDATE conversation SET deleted_at = $2, pinned = false WHERE id IN (
       SELECT c.id FROM conversation c WHERE c.updated_at < $1 AND c.deleted_at IS NULL
         AND NOT EXISTS (SELECT FROM task t WHERE t.run_node IS NULL AND ${ofConversationSql} AND ${keepsSql})
         AND NOT EXISTS (SELECT FROM task t WHERE t.run_node IS NOT NULL AND ${ofConversationSql})
         AND NOT EXISTS (SELECT FROM conversation_share s JOIN moderation_case m ON m.kind = 'share' AND m.target_id = s.id
           WHERE s.conversation_id = c.id AND m.state IN ('open', 'appealed'))
       ORDER BY c.updated_at LIMIT $3 FOR UPDATE SKIP LOCKED)`,
    [cutoff, now, limit],
  );
}

const erasableRow = row({ id: text(), userId: text(), agentId: text(), contextIds: textArray() });

/** A conversation whose content is to be erased. */
type ErasableConversation = RowOf<typeof erasableRow>;

/**
 * Claims a conversation that was deleted before `cutoff` for this transaction; null if there is none. Does not claim a
 * conversation while a payment is in progress.
 */
export async function claimErasable(tx: Tx, cutoff: Date): Promise<ErasableConversation | null> {
  const [claimed] = await erasableRow.queryIn(
    tx,
    Prisma.sql`SELECT c.id, c.user_id AS "userId", c.agent_id AS "agentId", array${Prisma.raw(contextsSql)} AS "contextIds"
      FROM conversation c WHERE c.deleted_at < ${cutoff} AND NOT EXISTS (
        SELECT FROM payment_order o WHERE o.user_id = c.user_id AND o.state = ANY(${pendingOrderStates})
          AND (o.context_id::text IN ${Prisma.raw(contextsSql)} OR o.task_id IN (
            SELECT d.task_id FROM chain_task d JOIN task t ON t.id = d.root_task_id WHERE ${Prisma.raw(ofConversationSql)})))
      ORDER BY c.deleted_at LIMIT 1 FOR UPDATE OF c SKIP LOCKED`,
  );
  return claimed ?? null;
}

/** Erases a conversation with its branches, texts, links and feedback. */
export async function eraseConversation(tx: Tx, id: string): Promise<void> {
  await executeIn(tx, Prisma.sql`DELETE FROM conversation WHERE id = ${id}`);
}

/** Deletes all conversations of a user. */
export async function eraseConversations(tx: Db, userId: string): Promise<void> {
  await executeIn(tx, Prisma.sql`DELETE FROM conversation WHERE user_id = ${userId}`);
}
