import { Prisma } from '../../generated/prisma/client';
import { db } from '../../platform/db';
import { bool, float8, row, text } from '../../platform/rows';
import { executeIn } from '../../platform/sql';
import { endedUnpaidStates } from '../orders/order-states';
import type { OrderState } from '../schema';

const paidStates: OrderState[] = ['captured', 'partially_refunded', 'refunded'];

const finishedStates = [...paidStates, ...endedUnpaidStates];

const dueRow = row({
  userId: text(),
  alertId: text(),
  orderId: text(),
  agentSlug: text(),
  currency: text(),
  amount: float8(),
  test: bool(),
  state: text<OrderState>(),
});

/** An automatic payment that was not emailed. */
export interface UnmailedPayment {
  alertId: string;
  orderId: string;
  agentSlug: string;
  currency: string;
  /** Minor units. */
  amount: number;
  /** Paid with test credits. */
  test: boolean;
  isPaid: boolean;
}

/**
 * Claims up to `limit` automatic payments that finished without an email, by user, each once and by one node: those
 * approved before the current day in the zone of a user who gets one email a day, and for others those a day older, whose
 * own emails were not sent.
 */
export async function claimDigests(now: Date, limit: number): Promise<Map<string, UnmailedPayment[]>> {
  const rows = await dueRow.queryIn(
    db(),
    Prisma.sql`WITH due AS (
        SELECT a.id FROM spending_alert a JOIN payment_order o ON o.id = a.order_id
        LEFT JOIN payment_setting s ON s.user_id = a.user_id
        CROSS JOIN LATERAL (SELECT coalesce(s.time_zone, 'UTC') AS name) zone
        WHERE a.kind = 'automatic' AND a.emailed_at IS NULL AND o.state = ANY(${finishedStates})
          AND a.at < (date_trunc('day', ${now}::timestamptz AT TIME ZONE zone.name)
            - CASE WHEN s.automatic_emails = 'daily' THEN interval '0' ELSE interval '1 day' END) AT TIME ZONE zone.name
        ORDER BY a.user_id LIMIT ${limit} FOR UPDATE OF a SKIP LOCKED
      ), claimed AS (
        UPDATE spending_alert a SET emailed_at = ${now} FROM due d WHERE a.id = d.id
        RETURNING a.id, a.user_id, a.order_id, a.at
      )
      SELECT c.user_id AS "userId", c.id AS "alertId", o.id AS "orderId", coalesce(g.slug, '') AS "agentSlug", o.currency,
        o.amount::float8 AS amount, o.test, o.state
      FROM claimed c JOIN payment_order o ON o.id = c.order_id LEFT JOIN agent g ON g.id = o.agent_id ORDER BY c.at, c.id`,
  );
  const digests = new Map<string, UnmailedPayment[]>();
  for (const { userId, state, ...payment } of rows) {
    const own = digests.get(userId) ?? [];
    own.push({ ...payment, isPaid: paidStates.includes(state) });
    digests.set(userId, own);
  }
  return digests;
}

/** Makes claimed payments due again, whose email could not be sent. */
export async function releaseDigest(alertIds: string[]): Promise<void> {
  await executeIn(db(), Prisma.sql`UPDATE spending_alert SET emailed_at = NULL WHERE id = ANY(${alertIds})`);
}
