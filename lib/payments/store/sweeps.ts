import { Prisma } from '../../generated/prisma/client';
import { query } from '../../platform/sql';
import type { OrderRecord } from '../record';
import { selectOrders } from './orders';

/** Orders whose hold lapses before `before` and whose merchant has not confirmed. */
export function findExpiringAuthorizations(before: Date, limit: number): Promise<OrderRecord[]> {
  return selectOrders(Prisma.sql`WHERE o.state IN ('authorized', 'mandate_delivered') AND o.capture_before <= ${before}
    ORDER BY o.capture_before LIMIT ${limit}`);
}

/**
 * Has every card order and top-up asked for that nobody has heard of since `staleSince` (the hold may be there, or gone,
 * and the notice lost), unless that was done since then, is about to be, or is tried again and again.
 */
export async function enqueueStaleOrders(staleSince: Date, now: Date): Promise<void> {
  const notRequested = (column: string): string => `NOT EXISTS (SELECT FROM payment_outbox b
    WHERE b.${column} = x.id AND b.kind = 'retrieve' AND (b.done_at > $1 OR (b.done_at IS NULL AND (b.due_at <= $2 OR b.attempts > 0))))`;
  await query(
    'payments-silent-orders',
    `INSERT INTO payment_outbox (order_id, kind, due_at) SELECT id, 'retrieve', $2 FROM payment_order x
     WHERE method = 'card' AND session_id IS NOT NULL
       AND state IN ('payment_pending', 'action_required', 'authorized', 'mandate_delivered')
       AND updated_at < $1 AND ${notRequested('order_id')}`,
    [staleSince, now],
  );
  await query(
    'payments-silent-top-ups',
    `INSERT INTO payment_outbox (top_up_id, kind, due_at) SELECT id, 'retrieve', $2 FROM wallet_top_up x
     WHERE state = 'pending' AND session_id IS NOT NULL AND updated_at < $1 AND ${notRequested('top_up_id')}`,
    [staleSince, now],
  );
}

/** Ends top-ups whose page was never opened. */
export async function cancelAbandonedTopUps(before: Date, now: Date): Promise<void> {
  await query(
    'payments-unopened',
    `UPDATE wallet_top_up SET state = 'expired', updated_at = $2
     WHERE state = 'pending' AND session_id IS NULL AND created_at < $1`,
    [before, now],
  );
}

/** Has one order or top-up asked for, unless that was done since `since` or is about to be; false then. */
export async function enqueueRetrieval(
  target: { orderId: string } | { topUpId: string },
  since: Date,
  now: Date,
): Promise<boolean> {
  const [orderId, topUpId] = 'orderId' in target ? [target.orderId, null] : [null, target.topUpId];
  const rows = await query(
    'payments-ask-again',
    `INSERT INTO payment_outbox (order_id, top_up_id, kind, due_at) SELECT $1::text, $2::text, 'retrieve', $4
     WHERE NOT EXISTS (SELECT FROM payment_outbox b WHERE b.kind = 'retrieve'
       AND b.order_id IS NOT DISTINCT FROM $1 AND b.top_up_id IS NOT DISTINCT FROM $2
       AND (b.done_at > $3 OR (b.done_at IS NULL AND (b.due_at <= $4 OR b.attempts > 0)))) RETURNING id`,
    [orderId, topUpId, since, now],
  );
  return rows.length > 0;
}
