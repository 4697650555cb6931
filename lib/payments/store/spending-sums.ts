import { Prisma } from '../../generated/prisma/client';
import { type Db, db } from '../../platform/db/db';
import { bool, float8, int4, nullable, type RowOf, row, text, timestamptz } from '../../platform/db/rows';
import type { Tx } from '../../platform/db/tx';
import { MAX_DELEGATIONS, MAX_SPENDING_SUMS } from '../limits';
import type { Money } from '../schema';
import type { SpendingPeriod, SpendingScope } from '../schema-spending';
import { approvedInSql, conversationIdSql, isSpentSql, type TimeRange } from './orders';
import type { SpendingKey } from './spending-limits';

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

/** The user whose orders are summed up, and the time window. */
interface SpendingWindow {
  userId: string;
  currency: string;
  test: boolean;
  timeZone: string;
  now: Date;
}

const usageRow = row({
  scope: text(),
  subject: text(),
  period: text(),
  used: float8(),
  resetsAt: nullable(timestamptz()),
});

/**
 * The used amount of a limit in its current window, and the start of the next window; null for limits without a window.
 */
export interface Usage extends SpendingKey {
  used: number;
  resetsAt: Date | null;
}

/**
 * The use of each key: approved orders that have not ended unpaid, less refunds. An order counts in the day and month of
 * its approval, which daylight saving makes 23 to 25 hours and 28 to 31 days long.
 */
export async function findUsage(
  { userId, currency, test, timeZone, now }: SpendingWindow,
  keys: SpendingKey[],
  tx: Db = db(),
): Promise<Usage[]> {
  if (keys.length === 0) return [];
  const column = (name: keyof SpendingKey): Prisma.Sql => Prisma.sql`${keys.map((key) => key[name])}::text[]`;
  const local = Prisma.sql`(${now}::timestamptz AT TIME ZONE ${timeZone})`;
  const rows = await usageRow.queryIn(
    tx,
    Prisma.sql`WITH bounds AS (
        SELECT unit, date_trunc(unit, ${local}) AT TIME ZONE ${timeZone} AS starts,
          (date_trunc(unit, ${local}) + ('1 ' || unit)::interval) AT TIME ZONE ${timeZone} AS ends
        FROM unnest(ARRAY['day', 'month']) AS unit
      ), key AS (
        SELECT k.scope, k.subject, k.period, k.at, w.starts, w.ends
        FROM unnest(${column('scope')}, ${column('subject')}, ${column('period')}) WITH ORDINALITY AS k(scope, subject, period, at)
        LEFT JOIN bounds w ON w.unit = k.period
      )
      SELECT k.scope, k.subject, k.period, k.ends AS "resetsAt", coalesce((
        SELECT sum(o.amount - o.refunded) FROM payment_order o
        WHERE k.period <> 'order' AND o.user_id = ${userId} AND o.currency = ${currency} AND o.test = ${test}
          AND ${isSpentSql} AND o.approved_at >= coalesce(k.starts, '-infinity')
          AND CASE k.scope WHEN 'account' THEN true WHEN 'agent' THEN o.agent_id = k.subject
            WHEN 'token' THEN o.credential_id = k.subject WHEN 'connection' THEN o.connection_id = k.subject
            ELSE o.root_task_id = k.subject::uuid END
      ), 0)::float8 AS used
      FROM key k ORDER BY k.at`,
  );
  return rows.map(({ scope, subject, period, ...rest }) => ({
    scope: scope as SpendingScope,
    subject,
    period: period as SpendingPeriod,
    ...rest,
  }));
}

const originRow = row({ credentialId: text(), connectionId: nullable(text()), rootTaskId: nullable(text()) });

/** The subjects to which an order is counted besides its user and agent. */
export interface Origin {
  /** The user's own credential, also when an agent acts by a delegation of it. */
  credentialId: string;
  /** The connected app of the credential. */
  connectionId: string | null;
  /** The root of the chain in which an agent was hired; null for a task of the user's own. */
  rootTaskId: string | null;
}

/** The origin of an order of this task that this credential approves; without one, the credential of the task. */
export async function findOrigin(
  tx: Tx,
  { credentialId, taskId }: { credentialId: string | null; taskId: string },
): Promise<Origin> {
  const [found] = await originRow.queryIn(
    tx,
    Prisma.sql`WITH RECURSIVE own (id, depth) AS (
        SELECT coalesce(${credentialId}, (SELECT credential_id FROM task WHERE id = ${taskId}::uuid), ''), 0
        UNION ALL
        SELECT d.parent_id, own.depth + 1 FROM own JOIN delegation d ON d.id = own.id WHERE own.depth < ${MAX_DELEGATIONS}
      ), root AS (SELECT id FROM own ORDER BY depth DESC LIMIT 1)
      SELECT root.id AS "credentialId", coalesce((SELECT connection_id FROM access_token a WHERE a.id = root.id),
          (SELECT connection_id FROM ended_sign_in e WHERE e.credential_id = root.id)) AS "connectionId",
        (SELECT root_task_id::text FROM chain_task WHERE task_id = ${taskId}::uuid) AS "rootTaskId" FROM root`,
  );
  return found ?? { credentialId: credentialId ?? '', connectionId: null, rootTaskId: null };
}
