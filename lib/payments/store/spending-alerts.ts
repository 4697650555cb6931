import { Prisma } from '../../generated/prisma/client';
import { type Db, db } from '../../platform/db/db';
import { bool, float8, row, text, timestamptz } from '../../platform/db/rows';
import { lockName, publishAtCommit, type Tx } from '../../platform/db/tx';
import { newId } from '../../platform/ids';
import { DIGEST_AFTER_MIDNIGHT, DIGEST_MAX_ATTEMPTS, DIGEST_MAX_RETRY, DIGEST_RETRY } from '../limits';
import type { AutomaticEmails, SpendingAlert } from '../schema-spending';
import type { OrderState } from '../schema-states';

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
 * Stores the alerts of an approved order; the commit notifies the topic `spending` of the user. `digestAt`: the time at
 * which the daily email about an automatic payment is due.
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

/** The user's alerts since a time, newest first. */
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

/** The time of the user's latest alert; null without one. */
export async function findLatestAlert(userId: string): Promise<Date | null> {
  const found = await db().spendingAlert.findFirst({
    where: { userId },
    orderBy: { at: 'desc' },
    select: { at: true },
  });
  return found?.at ?? null;
}

/** The time until which the user has seen alerts; null if they have seen none. */
export async function findSeenAt(userId: string): Promise<Date | null> {
  const found = await db().paymentSetting.findUnique({ where: { userId }, select: { alertsSeenAt: true } });
  return found?.alertsSeenAt ?? null;
}

/** Marks the alerts until `seenAt` as seen; a later stored time remains. */
export async function saveSeenAt(tx: Tx, userId: string, seenAt: Date): Promise<void> {
  await tx.paymentSetting.upsert({ where: { userId }, create: { userId }, update: {} });
  await tx.paymentSetting.updateMany({
    where: { userId, OR: [{ alertsSeenAt: null }, { alertsSeenAt: { lt: seenAt } }] },
    data: { alertsSeenAt: seenAt },
  });
  await publishAtCommit(tx, 'spending', userId);
}

/** The frequency of emails about the user's automatic payments. */
export async function findAutomaticEmails(userId: string, tx: Db = db()): Promise<AutomaticEmails> {
  const found = await tx.paymentSetting.findUnique({ where: { userId }, select: { automaticEmails: true } });
  return found?.automaticEmails === 'daily' ? 'daily' : 'each';
}

export async function saveAutomaticEmails(tx: Tx, userId: string, emails: AutomaticEmails): Promise<void> {
  const data = { automaticEmails: emails === 'daily' ? 'daily' : null };
  await tx.paymentSetting.upsert({ where: { userId }, create: { userId, ...data }, update: data });
}

/** True while a daily email will report the payment of an order. */
export async function awaitsDigest(orderId: string): Promise<boolean> {
  const where = { orderId, kind: 'automatic', emailedAt: null, dueAt: { not: null } };
  return (await db().spendingAlert.count({ where })) > 0;
}

/** Records that the daily email about these payments was sent. */
export async function markEmailed(alertIds: string[], at: Date): Promise<void> {
  await db().spendingAlert.updateMany({ where: { id: { in: alertIds } }, data: { emailedAt: at } });
}

/** Deletes up to `limit` alerts from before a time; returns their number. */
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

const dueAtRow = row({ dueAt: timestamptz() });

/**
 * The time at which the daily email about an automatic payment at `at` is due in the user's zone; null for users who
 * receive one email for each payment.
 */
export async function findDigestTime(tx: Tx, userId: string, at: Date): Promise<Date | null> {
  const [found] = await dueAtRow.queryIn(
    tx,
    Prisma.sql`SELECT (date_trunc('day', ${at}::timestamptz AT TIME ZONE zone.name) + interval '1 day'
        + ${DIGEST_AFTER_MIDNIGHT}::interval) AT TIME ZONE zone.name AS "dueAt"
      FROM payment_setting s CROSS JOIN LATERAL (SELECT coalesce(s.time_zone, 'UTC') AS name) zone
      WHERE s.user_id = ${userId} AND s.automatic_emails = 'daily'`,
  );
  return found?.dueAt ?? null;
}

const paymentRow = row({
  userId: text(),
  alertId: text(),
  orderId: text(),
  agentSlug: text(),
  currency: text(),
  amount: float8(),
  test: bool(),
  state: text<OrderState>(),
});

/** An automatic payment to report. */
export interface ReportedPayment {
  alertId: string;
  orderId: string;
  agentSlug: string;
  currency: string;
  /** Minor units. */
  amount: number;
  /** True if it was paid with test credits. */
  test: boolean;
  state: OrderState;
}

/**
 * Leases the due payments of up to `limit` users, all of a user to one node. They are due again after a time that grows
 * with each attempt, until they are marked as emailed; the last attempt leaves them unreported.
 */
export async function leaseDigests(
  tx: Tx,
  { now, limit }: { now: Date; limit: number },
): Promise<Map<string, ReportedPayment[]>> {
  await lockName(tx, 'spending digests');
  const rows = await paymentRow.queryIn(
    tx,
    Prisma.sql`WITH due AS (
        SELECT user_id FROM spending_alert WHERE emailed_at IS NULL AND due_at <= ${now}
        GROUP BY user_id ORDER BY min(due_at) LIMIT ${limit}
      ), leased AS (
        UPDATE spending_alert a SET attempts = a.attempts + 1, due_at = CASE WHEN a.attempts + 1 < ${DIGEST_MAX_ATTEMPTS}
          THEN ${now}::timestamptz + least(${DIGEST_MAX_RETRY}::interval, ${DIGEST_RETRY}::interval * 2 ^ a.attempts) END
        FROM due d WHERE a.user_id = d.user_id AND a.emailed_at IS NULL AND a.due_at <= ${now}
        RETURNING a.id, a.user_id, a.order_id, a.at
      )
      SELECT l.user_id AS "userId", l.id AS "alertId", o.id AS "orderId", coalesce(g.slug, o.agent_id) AS "agentSlug",
        o.currency, o.amount::float8 AS amount, o.test, o.state
      FROM leased l JOIN payment_order o ON o.id = l.order_id LEFT JOIN agent g ON g.id = o.agent_id ORDER BY l.at, l.id`,
  );
  const digests = new Map<string, ReportedPayment[]>();
  for (const { userId, ...payment } of rows) digests.set(userId, [...(digests.get(userId) ?? []), payment]);
  return digests;
}
