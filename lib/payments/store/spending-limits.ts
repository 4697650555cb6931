import { type Db, db } from '../../platform/db/db';
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
