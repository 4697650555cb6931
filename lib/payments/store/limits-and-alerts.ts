import { type Db, db } from '../../platform/db/db';
import { publishAtCommit, type Tx } from '../../platform/db/tx';
import { newId } from '../../platform/ids';
import type { AutomaticEmails, SpendingAlert, SpendingPeriod, SpendingScope } from '../schema-spending';

/** Identifies a limit, and the orders that it covers. */
export interface SpendingKey {
  scope: SpendingScope;
  /** The id of the agent, token, connection or root task; empty for the account. */
  subject: string;
  period: SpendingPeriod;
}

/** A limit that the user set, minor units; null for no limit. */
export interface StoredLimit extends SpendingKey {
  currency: string;
  amount: number | null;
}

/** Finds the limits that a user set, in one currency or in all. */
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

/** Returns the time zone of a user's days and months; null if none is set. */
export async function findTimeZone(userId: string, tx: Db = db()): Promise<string | null> {
  const found = await tx.paymentSetting.findUnique({ where: { userId }, select: { timeZone: true } });
  return found?.timeZone ?? null;
}

export async function saveTimeZone(tx: Tx, userId: string, timeZone: string | null): Promise<void> {
  await tx.paymentSetting.upsert({ where: { userId }, create: { userId, timeZone }, update: { timeZone } });
}

/** A stored alert, with its order. */
interface AlertRecord {
  id: string;
  orderId: string;
  agentId: string;
  currency: string;
  total: number;
  alert: SpendingAlert;
  at: Date;
}

/**
 * Stores the alerts of an approved order. The commit notifies the topic `spending` of the user. `digestAt` is the time
 * at which the daily email about an automatic payment is due.
 */
export async function saveAlerts(
  tx: Tx,
  { userId, orderId, at, digestAt }: { userId: string; orderId: string; at: Date; digestAt: Date | null },
  alerts: SpendingAlert[],
): Promise<void> {
  if (alerts.length === 0) return;
  await tx.spendingAlert.createMany({
    data: alerts.map(({ kind, ...details }) => {
      const dueAt = kind === 'automatic' ? digestAt : null;
      return { id: newId('spa'), userId, orderId, kind, details, at, dueAt };
    }),
  });
  await publishAtCommit(tx, 'spending', userId);
}

/** Returns the user's alerts since the given time, newest first. */
export async function findAlerts(userId: string, since: Date, limit: number): Promise<AlertRecord[]> {
  const rows = await db().spendingAlert.findMany({
    where: { userId, at: { gte: since } },
    orderBy: [{ at: 'desc' }, { id: 'asc' }],
    take: limit,
  });
  const orders = await db().paymentOrder.findMany({
    where: { userId, id: { in: rows.map(({ orderId }) => orderId) } },
    select: { id: true, agentId: true, currency: true, amount: true },
  });
  return rows.flatMap(({ id, orderId, kind, details, at }) => {
    const order = orders.find((one) => one.id === orderId);
    if (!order) return [];
    const { agentId, currency, amount } = order;
    const alert = { kind, ...(details as object) } as SpendingAlert;
    return [{ id, orderId, agentId, currency, total: Number(amount), alert, at }];
  });
}

/** Returns the time of the user's latest alert; null if there is none. */
export async function findLatestAlert(userId: string): Promise<Date | null> {
  const found = await db().spendingAlert.findFirst({
    where: { userId },
    orderBy: { at: 'desc' },
    select: { at: true },
  });
  return found?.at ?? null;
}

/** Returns the time until which the user has seen alerts; null if they have seen none. */
export async function findSeenAt(userId: string): Promise<Date | null> {
  const found = await db().paymentSetting.findUnique({ where: { userId }, select: { alertsSeenAt: true } });
  return found?.alertsSeenAt ?? null;
}

/** Marks the alerts until `seenAt` as seen. A later stored time is kept. */
export async function saveSeenAt(tx: Tx, userId: string, seenAt: Date): Promise<void> {
  await tx.paymentSetting.upsert({ where: { userId }, create: { userId }, update: {} });
  await tx.paymentSetting.updateMany({
    where: { userId, OR: [{ alertsSeenAt: null }, { alertsSeenAt: { lt: seenAt } }] },
    data: { alertsSeenAt: seenAt },
  });
  await publishAtCommit(tx, 'spending', userId);
}

/** Returns the frequency of emails about the user's automatic payments. */
export async function findAutomaticEmails(userId: string, tx: Db = db()): Promise<AutomaticEmails> {
  const found = await tx.paymentSetting.findUnique({ where: { userId }, select: { automaticEmails: true } });
  return found?.automaticEmails === 'daily' ? 'daily' : 'each';
}

export async function saveAutomaticEmails(tx: Tx, userId: string, emails: AutomaticEmails): Promise<void> {
  const data = { automaticEmails: emails === 'daily' ? 'daily' : null };
  await tx.paymentSetting.upsert({ where: { userId }, create: { userId, ...data }, update: data });
}

/** Returns true while a daily email will report the payment of an order. */
export async function awaitsDigest(orderId: string): Promise<boolean> {
  const where = { orderId, kind: 'automatic', emailedAt: null, dueAt: { not: null } };
  return (await db().spendingAlert.count({ where })) > 0;
}

/** Records that the daily email about these payments was sent. */
export async function markEmailed(alertIds: string[], at: Date): Promise<void> {
  await db().spendingAlert.updateMany({ where: { id: { in: alertIds } }, data: { emailedAt: at } });
}

/** Deletes at most `limit` alerts from before a time. Returns their number. */
export async function pruneAlerts(before: Date, limit: number): Promise<number> {
  const outdated = await db().spendingAlert.findMany({
    where: { at: { lt: before } },
    orderBy: { at: 'asc' },
    take: limit,
    select: { id: true },
  });
  const { count } = await db().spendingAlert.deleteMany({ where: { id: { in: outdated.map(({ id }) => id) } } });
  return count;
}
