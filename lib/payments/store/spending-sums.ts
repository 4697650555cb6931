import { Prisma } from '../../generated/prisma/client';
import { type Db, db } from '../../platform/db/db';
import { bool, float8, int4, nullable, type RowOf, row, text, timestamptz, uuid } from '../../platform/db/rows';
import { type Tx, withRowsOf } from '../../platform/db/tx';
import { MAX_SPENDING_SUMS } from '../limits';
import type { Money } from '../schema';
import type { SpendingScope } from '../schema-spending';
import type { SpendingKey } from './limits-and-alerts';
import { findConversations, findConversationTasks } from './order-tasks';
import { approvedInSql, isSpentSql, type TimeRange } from './orders';

const monthRow = row({ month: text(), from: timestamptz(), to: timestamptz() });

/** A calendar month in a time zone. */
export type Month = RowOf<typeof monthRow>;

/** Returns a month such as `2026-11` in a time zone, by default that of `now`. */
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

/** Columns of the sums. Real money and test credits are never added together. */
const sumColumns = { currency: text(), test: bool(), amount: float8(), orders: int4() };

/** The payments that a condition selects, as `o`: orders and charges by price plans, each with what is not refunded. */
function spentSql({ order, charge }: { order: Prisma.Sql; charge: Prisma.Sql }): Prisma.Sql {
  return Prisma.sql`(
    SELECT o.currency, o.test, o.user_id, o.agent_id, o.task_id, o.context_id, o.amount - o.refunded AS paid
    FROM payment_order o WHERE ${order} AND ${isSpentSql}
    UNION ALL
    SELECT c.currency, c.test, c.user_id, c.agent_id, c.task_id, NULL, c.captured - coalesce(e.refunded, 0)
    FROM task_charge c LEFT JOIN earning e ON e.sale_kind = 'charge' AND e.sale_id = c.id
    WHERE ${charge} AND c.state = 'captured') o`;
}

function spentInSql(userId: string, range: TimeRange): Prisma.Sql {
  return spentSql({
    order: Prisma.sql`o.user_id = ${userId} AND ${approvedInSql(range)}`,
    charge: Prisma.sql`c.user_id = ${userId} AND c.authorized_at >= ${range.from} AND c.authorized_at < ${range.to}`,
  });
}

/** The costs of payments, minus refunds. Fully refunded ones are not counted. */
const sumSql = Prisma.sql`o.currency, o.test, sum(o.paid)::float8 AS amount, (count(*) FILTER (WHERE o.paid > 0))::int AS orders`;

/** The costs of payments by task, with what determines the conversation. */
const placedSql = Prisma.sql`${sumSql}, o.user_id AS "userId", o.agent_id AS "agentId", o.task_id AS "taskId",
  o.context_id AS "contextId"`;
const byPlaceSql = Prisma.sql`GROUP BY o.currency, o.test, o.user_id, o.agent_id, o.task_id, o.context_id`;

const agentSumRow = row({ ...sumColumns, agentId: nullable(text()) });

/** The amount spent at an agent, or at all agents if `agentId` is null. */
export type AgentSum = RowOf<typeof agentSumRow>;

/**
 * Returns the amounts that a user spent in a range: the total of each currency first, then its agents, the highest sums
 * first, at most {@link MAX_SPENDING_SUMS}.
 */
export function sumByAgent(userId: string, range: TimeRange): Promise<AgentSum[]> {
  return agentSumRow.queryIn(
    db(),
    Prisma.sql`SELECT currency, test, amount, orders, "agentId" FROM (
        SELECT ${sumSql}, o.agent_id AS "agentId", row_number() OVER (
          PARTITION BY o.currency, o.test, grouping(o.agent_id) ORDER BY sum(o.paid) DESC, o.agent_id) AS place
        FROM ${spentInSql(userId, range)}
        GROUP BY GROUPING SETS ((o.currency, o.test), (o.currency, o.test, o.agent_id)) HAVING sum(o.paid) > 0
      ) s WHERE place <= ${MAX_SPENDING_SUMS} ORDER BY currency, test, "agentId" IS NOT NULL, place`,
  );
}

/** The amount spent in a conversation, or outside of any conversation if `id` is null. */
export interface ConversationSum extends RowOf<typeof taskSumRow> {
  id: string | null;
  title: string | null;
  /** The agent of the conversation. */
  agentId: string | null;
}

const taskSumRow = row(sumColumns);
const placedSumRow = row({
  ...sumColumns,
  userId: text(),
  agentId: text(),
  taskId: uuid(),
  contextId: nullable(uuid()),
});

/** Returns the amounts that a user spent in a range by conversation, the highest sums of each currency first. */
export async function sumByConversation(userId: string, range: TimeRange): Promise<ConversationSum[]> {
  const spent = await placedSumRow.queryIn(
    db(),
    Prisma.sql`SELECT ${placedSql} FROM ${spentInSql(userId, range)} ${byPlaceSql}`,
  );
  const conversations = await findConversations(spent);
  const sums = new Map<string, ConversationSum>();
  for (const { currency, test, amount, orders, taskId } of spent) {
    const { id = null, title = null, agentId = null } = conversations.get(taskId) ?? {};
    const key = `${currency} ${test} ${id}`;
    const sum = sums.get(key) ?? { currency, test, amount: 0, orders: 0, id, title, agentId };
    sums.set(key, { ...sum, amount: sum.amount + amount, orders: sum.orders + orders });
  }
  return highestOfEach([...sums.values()].filter(({ amount }) => amount > 0));
}

/** Returns the highest sums of each currency, real money and test credits apart. */
function highestOfEach(sums: ConversationSum[]): ConversationSum[] {
  const kindOf = ({ currency, test }: ConversationSum): string => `${currency} ${test}`;
  const kinds = [...new Set(sums.map(kindOf))].sort();
  return kinds.flatMap((kind) =>
    sums
      .filter((sum) => kindOf(sum) === kind)
      .sort((one, other) => other.amount - one.amount || ((one.id ?? '~') < (other.id ?? '~') ? -1 : 1))
      .slice(0, MAX_SPENDING_SUMS),
  );
}

const moneyRow = row({ currency: text(), minor: float8() });

/** Returns the amounts that a user spent at an agent in a range, by currency. */
export function sumAtAgent(
  { userId, agentId, test }: { userId: string; agentId: string; test: boolean },
  range: TimeRange,
): Promise<Money[]> {
  return moneyRow.queryIn(
    db(),
    Prisma.sql`SELECT o.currency, sum(o.paid)::float8 AS minor FROM ${spentInSql(userId, range)}
      WHERE o.agent_id = ${agentId} AND o.test = ${test} GROUP BY o.currency HAVING sum(o.paid) > 0 ORDER BY o.currency`,
  );
}

/** Returns the total amounts that a user spent in one of their conversations, by currency. */
export async function sumInConversation({
  userId,
  conversationId,
  test,
}: {
  userId: string;
  conversationId: string;
  test: boolean;
}): Promise<Money[]> {
  // The tasks select the payments by an index; the conversation of a payment determines the result.
  const taskIds = await findConversationTasks(userId, conversationId);
  const ofTasks = spentSql({
    order: Prisma.sql`o.task_id = ANY(${taskIds}::uuid[]) AND o.user_id = ${userId} AND o.test = ${test}`,
    charge: Prisma.sql`c.task_id = ANY(${taskIds}::uuid[]) AND c.user_id = ${userId} AND c.test = ${test}`,
  });
  const spent = await placedSumRow.queryIn(db(), Prisma.sql`SELECT ${placedSql} FROM ${ofTasks} ${byPlaceSql}`);
  const conversations = await findConversations(spent);
  const sums = new Map<string, number>();
  for (const { currency, amount, taskId } of spent) {
    if (conversations.get(taskId)?.id !== conversationId) continue;
    sums.set(currency, (sums.get(currency) ?? 0) + amount);
  }
  const paid = [...sums].filter(([, minor]) => minor > 0).map(([currency, minor]) => ({ currency, minor }));
  return paid.sort((one, other) => (one.currency < other.currency ? -1 : 1));
}

const existsRow = row({ id: text() });

/** Returns true for a conversation of the user that is not deleted. */
export async function hasConversation(userId: string, id: string): Promise<boolean> {
  const statement = 'SELECT id FROM conversation WHERE id = $1 AND user_id = $2 AND deleted_at IS NULL';
  return (await existsRow.of(userId).queryFirst('spending-has-conversation', statement, [id, userId])) !== null;
}

const nameRow = row({ name: text() });

/** Returns true for a name that the database supports, because the database computes days and months. */
export async function isTimeZone(name: string): Promise<boolean> {
  const found = await nameRow.queryIn(db(), Prisma.sql`SELECT name FROM pg_timezone_names WHERE name = ${name}`);
  return found.length > 0;
}

type Subject = Pick<SpendingKey, 'scope' | 'subject'>;

/** Returns true for a suspended account, all of whose credentials have ended. */
export async function isSuspended(tx: Db, userId: string): Promise<boolean> {
  const found = await nameRow.queryIn(
    tx,
    Prisma.sql`SELECT id AS name FROM "user" WHERE id = ${userId} AND suspended_at IS NOT NULL`,
  );
  return found.length > 0;
}

/** Finds the agents that made offers to the user, newest first. */
export async function findSellers(userId: string, limit: number): Promise<string[]> {
  const rows = await nameRow.queryIn(
    db(),
    Prisma.sql`SELECT agent_id AS name FROM payment_order WHERE user_id = ${userId} AND state <> 'rejected'
      GROUP BY agent_id ORDER BY max(created_at) DESC LIMIT ${limit}`,
  );
  return rows.map(({ name }) => name);
}

const offerRow = row({ taskId: uuid(), currency: text() });
const originRow = row({ credentialId: nullable(text()), rootTaskId: nullable(uuid()) });
const tokenRow = row({ id: text(), connectionId: nullable(text()) });

/** Returns the currencies, chains, connected apps and access tokens of the user's latest offers. */
export async function findOfferSubjects(
  userId: string,
  limit: number,
): Promise<{ currencies: string[]; subjects: Subject[] }> {
  const offers = await offerRow.queryIn(
    db(),
    Prisma.sql`SELECT task_id AS "taskId", currency FROM payment_order
      WHERE user_id = ${userId} AND state <> 'rejected' AND currency <> '' ORDER BY created_at DESC, id LIMIT ${limit}`,
  );
  const taskIds = [...new Set(offers.map(({ taskId }) => taskId))];
  const origins = await originRow.of(userId).query(
    'spending-origins',
    `SELECT DISTINCT t.credential_id AS "credentialId", c.root_task_id AS "rootTaskId" FROM unnest($1::uuid[]) AS o(task_id)
       LEFT JOIN task t ON t.principal = $2 AND t.id = o.task_id
       LEFT JOIN chain_task c ON c.principal = $2 AND c.task_id = o.task_id`,
    [taskIds, userId],
  );
  const credentialIds = [...new Set(origins.flatMap(({ credentialId }) => credentialId ?? []))];
  const tokens = await tokenRow.queryIn(
    db(),
    Prisma.sql`SELECT id, connection_id AS "connectionId" FROM access_token WHERE id = ANY(${credentialIds})`,
  );
  const chains = new Set(origins.flatMap(({ rootTaskId }) => rootTaskId ?? []));
  const connections = new Set(tokens.flatMap(({ connectionId }) => connectionId ?? []));
  return {
    currencies: [...new Set(offers.map(({ currency }) => currency))],
    subjects: [
      ...[...chains].map((subject) => ({ scope: 'chain' as const, subject })),
      ...[...connections].map((subject) => ({ scope: 'connection' as const, subject })),
      ...tokens.map(({ id }) => ({ scope: 'token' as const, subject: id })),
    ],
  };
}

/** Returns the active access tokens with which the user can pay. */
export async function findPayingTokens(userId: string, now: Date): Promise<string[]> {
  const rows = await nameRow.queryIn(
    db(),
    Prisma.sql`SELECT id AS name FROM access_token WHERE user_id = ${userId} AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > ${now}) AND 'pay' = ANY(scopes) ORDER BY created_at DESC, id`,
  );
  return rows.map(({ name }) => name);
}

/**
 * Returns the name of the subject that a limit of the user covers: an agent, or an access token, connected app or chain
 * of the user. Returns null if there is none; empty for the account and for chains.
 */
export async function findSubjectName(
  userId: string,
  { scope, subject }: Subject,
  tx: Tx | null = null,
): Promise<string | null> {
  if (scope === 'account') return subject === '' ? '' : null;
  if (scope === 'chain') return (await hasChain(userId, subject, tx)) ? '' : null;
  const sources: Record<Exclude<SpendingScope, 'account' | 'chain'>, Prisma.Sql> = {
    agent: Prisma.sql`SELECT name FROM agent WHERE id = ${subject}`,
    token: Prisma.sql`SELECT name FROM access_token WHERE id = ${subject} AND user_id = ${userId}`,
    connection: Prisma.sql`SELECT client_name AS name FROM connection WHERE id = ${subject} AND user_id = ${userId}`,
  };
  const [found] = await nameRow.queryIn(tx ?? db(), sources[scope]);
  return found?.name ?? null;
}

/** Returns true for a chain of the user. Uses no connection except `tx` for an owner in the main database. */
async function hasChain(userId: string, rootTaskId: string, tx: Tx | null): Promise<boolean> {
  if (!tx) {
    const statement = 'SELECT root_task_id::text AS id FROM chain WHERE root_task_id::text = $1 AND principal = $2';
    return (await existsRow.of(userId).queryFirst('spending-chain', statement, [rootTaskId, userId])) !== null;
  }
  const statement = Prisma.sql`SELECT root_task_id::text AS id FROM chain
    WHERE root_task_id::text = ${rootTaskId} AND principal = ${userId}`;
  return (await withRowsOf(tx, userId, (own) => existsRow.queryIn(own, statement))).length > 0;
}
