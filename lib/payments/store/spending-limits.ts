import { Prisma } from '../../generated/prisma/client';
import { type Db, db } from '../../platform/db/db';
import { nullable, row, text } from '../../platform/db/rows';
import type { Tx } from '../../platform/db/tx';
import type { SpendingPeriod, SpendingScope } from '../schema-spending';

/** The orders that a limit sums up. */
export interface SpendingKey {
  scope: SpendingScope;
  /** The id of the agent, token, connection or root task; empty for the account. */
  subject: string;
  period: SpendingPeriod;
}

/** A limit that the user set, minor units; null for none. */
export interface StoredLimit extends SpendingKey {
  currency: string;
  amount: number | null;
}

/** The limits that a user set; those of one currency, or all. */
export async function findLimits(userId: string, currency?: string, tx: Db = db()): Promise<StoredLimit[]> {
  const rows = await tx.spendingLimit.findMany({ where: { userId, currency }, orderBy: { updatedAt: 'asc' } });
  return rows.map(({ scope, subject, period, amount, ...rest }) => ({
    scope: scope as SpendingScope,
    subject,
    period: period as SpendingPeriod,
    currency: rest.currency,
    amount: amount === null ? null : Number(amount),
  }));
}

/** Sets a limit, or deletes it so that the default applies. */
export async function saveLimit(
  tx: Tx,
  { amount, ...key }: Omit<StoredLimit, 'amount'> & { userId: string; amount: number | null | 'default' },
  at: Date,
): Promise<void> {
  if (amount === 'default') {
    await tx.spendingLimit.deleteMany({ where: key });
    return;
  }
  await tx.spendingLimit.upsert({
    where: { userId_scope_subject_currency_period: key },
    create: { ...key, amount, updatedAt: at },
    update: { amount, updatedAt: at },
  });
}

/** The time zone of a user's days and months; null if none is set. */
export async function findTimeZone(userId: string, tx: Db = db()): Promise<string | null> {
  const found = await tx.paymentSetting.findUnique({ where: { userId }, select: { timeZone: true } });
  return found?.timeZone ?? null;
}

export async function saveTimeZone(tx: Tx, userId: string, timeZone: string | null): Promise<void> {
  await tx.paymentSetting.upsert({ where: { userId }, create: { userId, timeZone }, update: { timeZone } });
}

const nameRow = row({ name: text() });

/** True for a name that the database supports, because the database computes the days and months. */
export async function isTimeZone(name: string): Promise<boolean> {
  const found = await nameRow.queryIn(db(), Prisma.sql`SELECT name FROM pg_timezone_names WHERE name = ${name}`);
  return found.length > 0;
}

type Subject = Pick<SpendingKey, 'scope' | 'subject'>;

/** True for a suspended account, whose credentials have all ended. */
export async function isSuspended(tx: Db, userId: string): Promise<boolean> {
  const found = await nameRow.queryIn(
    tx,
    Prisma.sql`SELECT id AS name FROM "user" WHERE id = ${userId} AND suspended_at IS NOT NULL`,
  );
  return found.length > 0;
}

/** The agents that made the user offers, latest first. */
export async function findSellers(userId: string, limit: number): Promise<string[]> {
  const rows = await nameRow.queryIn(
    db(),
    Prisma.sql`SELECT agent_id AS name FROM payment_order WHERE user_id = ${userId} AND state <> 'rejected'
      GROUP BY agent_id ORDER BY max(created_at) DESC LIMIT ${limit}`,
  );
  return rows.map(({ name }) => name);
}

const orderRow = row({ currency: text(), scope: nullable(text<SpendingScope>()), subject: nullable(text()) });

/** The currencies, chains, connected apps and access tokens of the user's latest offers. */
export async function findOfferSubjects(
  userId: string,
  limit: number,
): Promise<{ currencies: string[]; subjects: Subject[] }> {
  const rows = await orderRow.queryIn(
    db(),
    Prisma.sql`SELECT DISTINCT o.currency, s.scope, s.subject FROM (
        SELECT task_id, currency FROM payment_order WHERE user_id = ${userId} AND state <> 'rejected' AND currency <> ''
        ORDER BY created_at DESC, id LIMIT ${limit}
      ) o LEFT JOIN task t ON t.id = o.task_id LEFT JOIN access_token a ON a.id = t.credential_id
      LEFT JOIN chain_task c ON c.task_id = o.task_id
      LEFT JOIN LATERAL (VALUES ('chain', c.root_task_id::text), ('connection', a.connection_id), ('token', a.id))
        AS s(scope, subject) ON s.subject IS NOT NULL`,
  );
  return {
    currencies: [...new Set(rows.map(({ currency }) => currency))],
    subjects: rows.flatMap(({ scope, subject }) => (scope && subject ? [{ scope, subject }] : [])),
  };
}

/** The active access tokens with which the user can pay. */
export async function findPayingTokens(userId: string, now: Date): Promise<string[]> {
  const rows = await nameRow.queryIn(
    db(),
    Prisma.sql`SELECT id AS name FROM access_token WHERE user_id = ${userId} AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > ${now}) AND 'pay' = ANY(scopes) ORDER BY created_at DESC, id`,
  );
  return rows.map(({ name }) => name);
}

/**
 * The name of the subject that a limit of the user covers: an agent, or an access token, connected app or chain of the
 * user. Null when there is none; empty for the account and chains.
 */
export async function findSubjectName(
  userId: string,
  { scope, subject }: Subject,
  tx: Db = db(),
): Promise<string | null> {
  if (scope === 'account') return subject === '' ? '' : null;
  const sources: Record<Exclude<SpendingScope, 'account'>, Prisma.Sql> = {
    agent: Prisma.sql`SELECT name FROM agent WHERE id = ${subject}`,
    token: Prisma.sql`SELECT name FROM access_token WHERE id = ${subject} AND user_id = ${userId}`,
    connection: Prisma.sql`SELECT client_name AS name FROM connection WHERE id = ${subject} AND user_id = ${userId}`,
    chain: Prisma.sql`SELECT '' AS name FROM chain WHERE root_task_id::text = ${subject} AND principal = ${userId}`,
  };
  const [found] = await nameRow.queryIn(tx, sources[scope]);
  return found?.name ?? null;
}
