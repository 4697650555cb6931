import { Prisma } from '../../generated/prisma/client';
import { endedUnpaidStates } from '../orders/order-states';

/** SQL condition: the order `o` counts as spent. It is approved and has not ended unpaid. */
export const isSpentSql = Prisma.sql`o.method IS NOT NULL AND o.state <> ALL(${endedUnpaidStates})`;

/** A range of time: start inclusive, end exclusive. */
export interface TimeRange {
  from: Date;
  to: Date;
}

/** SQL condition: the order `o` was approved in the range. */
export function approvedInSql({ from, to }: TimeRange): Prisma.Sql {
  return Prisma.sql`(o.approved_at >= ${from} AND o.approved_at < ${to})`;
}

/**
 * The user's conversation with the order `o`: that of its context, or, for an agent hired in a chain, that of the
 * chain's first task. NULL for an order outside of the chat, and for a deleted conversation.
 */
export const conversationIdSql = Prisma.sql`(SELECT c.id FROM (
    SELECT coalesce(r.context_id, o.context_id::text) AS context_id, coalesce(r.agent_id, o.agent_id) AS agent_id
    FROM (VALUES (o.task_id)) AS own(task_id)
    LEFT JOIN chain_task d ON d.task_id = own.task_id LEFT JOIN task r ON r.id = d.root_task_id
  ) first JOIN conversation c ON c.id = coalesce(
    (SELECT id FROM conversation WHERE user_id = o.user_id AND context_id = first.context_id),
    (SELECT conversation_id FROM conversation_branch WHERE context_id = first.context_id LIMIT 1))
  WHERE c.user_id = o.user_id AND c.agent_id = first.agent_id AND c.deleted_at IS NULL)`;
