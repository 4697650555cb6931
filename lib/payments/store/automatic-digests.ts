import { Prisma } from '../../generated/prisma/client';
import { bool, float8, row, text, timestamptz } from '../../platform/db/rows';
import { lockName, type Tx } from '../../platform/db/tx';
import { DIGEST_AFTER_MIDNIGHT, DIGEST_MAX_ATTEMPTS, DIGEST_MAX_RETRY, DIGEST_RETRY } from '../limits';
import type { OrderState } from '../schema';

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
