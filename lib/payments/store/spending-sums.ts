import { Prisma } from '../../generated/prisma/client';
import { db } from '../../platform/db/db';
import { bool, float8, int4, nullable, type RowOf, row, text, timestamptz } from '../../platform/db/rows';
import { MAX_SPENDING_SUMS } from '../limits';
import type { Money } from '../schema';
import { approvedInSql, conversationIdSql, isSpentSql, type TimeRange } from './order-sql';

const monthRow = row({ month: text(), from: timestamptz(), to: timestamptz() });

/** A calendar month in a time zone. */
export type Month = RowOf<typeof monthRow>;

/** A month such as `2026-11` in a time zone; without one, that of `now`. */
export async function findMonth(
  timeZone: string,
  { month, now }: { month?: string | undefined; now: Date },
): Promise<Month> {
  const first = month
    ? Prisma.sql`${`${month}-01`}::timestamp`
    : Prisma.sql`date_trunc('month', ${now}::timestamptz AT TIME ZONE ${timeZone})`;
  const [found] = await monthRow.queryIn(
    db(),
    Prisma.sql`SELECT to_char(first, 'YYYY-MM') AS month, first AT TIME ZONE ${timeZone} AS from,
        (first + interval '1 month') AT TIME ZONE ${timeZone} AS to FROM (SELECT ${first} AS first) f`,
  );
  if (!found) throw new Error('a month has a first day');
  return found;
}

/** Real money and test credits are never added together. */
const sumColumns = { currency: text(), test: bool(), amount: float8(), orders: int4() };

/** The costs of orders, less refunds; those that were refunded in full are not counted. */
const sumSql = Prisma.sql`o.currency, o.test, sum(o.amount - o.refunded)::float8 AS amount,
  (count(*) FILTER (WHERE o.amount > o.refunded))::int AS orders`;

const agentSumRow = row({ ...sumColumns, agentId: nullable(text()) });

/** The amount spent at an agent, or at all agents if `agentId` is null. */
export type AgentSum = RowOf<typeof agentSumRow>;

/**
 * The amounts that a user spent in a range: the total of each currency first, then its agents, the highest sums first.
 */
export function sumByAgent(userId: string, range: TimeRange): Promise<AgentSum[]> {
  return agentSumRow.queryIn(
    db(),
    Prisma.sql`SELECT currency, test, amount, orders, "agentId" FROM (
        SELECT ${sumSql}, o.agent_id AS "agentId", row_number() OVER (
          PARTITION BY o.currency, o.test, grouping(o.agent_id) ORDER BY sum(o.amount - o.refunded) DESC, o.agent_id) AS place
        FROM payment_order o WHERE o.user_id = ${userId} AND ${isSpentSql} AND ${approvedInSql(range)}
        GROUP BY GROUPING SETS ((o.currency, o.test), (o.currency, o.test, o.agent_id))
        HAVING sum(o.amount - o.refunded) > 0
      ) s WHERE place <= ${MAX_SPENDING_SUMS} ORDER BY currency, test, "agentId" IS NOT NULL, place`,
  );
}

const conversationSumRow = row({
  ...sumColumns,
  id: nullable(text()),
  title: nullable(text()),
  agentId: nullable(text()),
});

/** The amount spent in a conversation, or outside of any conversation if `id` is null. */
export type ConversationSum = RowOf<typeof conversationSumRow>;

/** The amounts that a user spent in a range by conversation, the highest sums of each currency first. */
export function sumByConversation(userId: string, range: TimeRange): Promise<ConversationSum[]> {
  return conversationSumRow.queryIn(
    db(),
    Prisma.sql`SELECT currency, test, amount, orders, id, title, "agentId" FROM (
        SELECT ${sumSql}, c.id, c.title, c.agent_id AS "agentId", row_number() OVER (
          PARTITION BY o.currency, o.test ORDER BY sum(o.amount - o.refunded) DESC, c.id) AS place
        FROM payment_order o LEFT JOIN conversation c ON c.id = ${conversationIdSql}
        WHERE o.user_id = ${userId} AND ${isSpentSql} AND ${approvedInSql(range)}
        GROUP BY o.currency, o.test, c.id HAVING sum(o.amount - o.refunded) > 0
      ) s WHERE place <= ${MAX_SPENDING_SUMS} ORDER BY currency, test, place`,
  );
}

const moneyRow = row({ currency: text(), minor: float8() });

/** The amounts that a user spent at an agent in a range, by currency. */
export function sumAtAgent(
  { userId, agentId, test }: { userId: string; agentId: string; test: boolean },
  range: TimeRange,
): Promise<Money[]> {
  return moneyRow.queryIn(
    db(),
    Prisma.sql`SELECT o.currency, sum(o.amount - o.refunded)::float8 AS minor FROM payment_order o
      WHERE o.user_id = ${userId} AND o.agent_id = ${agentId} AND o.test = ${test} AND ${isSpentSql}
        AND ${approvedInSql(range)}
      GROUP BY o.currency HAVING sum(o.amount - o.refunded) > 0 ORDER BY o.currency`,
  );
}

/** The total amounts that a user spent in one of their conversations, by currency. */
export function sumInConversation({
  userId,
  conversationId,
  test,
}: {
  userId: string;
  conversationId: string;
  test: boolean;
}): Promise<Money[]> {
  // The tasks narrow the orders down by an index; the conversation of an order determines the result.
  const ofTasks = Prisma.sql`t.principal = c.user_id AND t.agent_id = c.agent_id AND t.context_id IN (
    SELECT c.context_id UNION SELECT b.context_id FROM conversation_branch b WHERE b.conversation_id = c.id)`;
  return moneyRow.queryIn(
    db(),
    Prisma.sql`WITH own AS MATERIALIZED (
        SELECT t.id FROM conversation c JOIN task t ON ${ofTasks} AND t.run_node IS NULL
        WHERE c.id = ${conversationId} AND c.user_id = ${userId}
        UNION ALL SELECT t.id FROM conversation c JOIN task t ON ${ofTasks} AND t.run_node IS NOT NULL
        WHERE c.id = ${conversationId} AND c.user_id = ${userId}
      ), involved AS MATERIALIZED (
        SELECT id FROM own UNION SELECT d.task_id FROM own JOIN chain_task d ON d.root_task_id = own.id
      )
      SELECT o.currency, sum(o.amount - o.refunded)::float8 AS minor
      FROM involved JOIN payment_order o ON o.task_id = involved.id
      WHERE o.user_id = ${userId} AND o.test = ${test} AND ${isSpentSql} AND ${conversationIdSql} = ${conversationId}
      GROUP BY o.currency HAVING sum(o.amount - o.refunded) > 0 ORDER BY o.currency`,
  );
}

const existsRow = row({ id: text() });

/** True for a conversation of the user that is not deleted. */
export async function hasConversation(userId: string, id: string): Promise<boolean> {
  const found = await existsRow.queryIn(
    db(),
    Prisma.sql`SELECT id FROM conversation WHERE id = ${id} AND user_id = ${userId} AND deleted_at IS NULL`,
  );
  return found.length > 0;
}
