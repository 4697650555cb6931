import { cancelHeldOrder } from '../ap2/apply-merchant-reply';
import { listStripeEvents } from '../charges/stripe';
import { cardsEnabled } from '../charges/stripe-mode';
import { processStripeEvent } from '../charges/stripe-webhook';
import {
  ABANDONED_TOP_UP_MS,
  ALERT_PRUNE_BATCH_SIZE,
  DEFAULT_EVENT_LOOKBACK_MS,
  EVENT_OVERLAP_MS,
  HOLD_EXPIRY_MARGIN_MS,
  MAX_EVENT_LOOKBACK_MS,
  OUTBOX_RETENTION_MS,
  SPENDING_ALERT_RETENTION_MS,
  STALE_CHARGE_MS,
  SWEEP_BATCH_SIZE,
} from '../limits';
import { voidEndedOffers } from '../orders/void-offers';
import { pruneIdempotencyKeys } from '../store/idempotency-keys';
import { findExpiringAuthorizations } from '../store/orders';
import { enqueueStaleOrders, lastEventAt, pruneOutbox } from '../store/outbox';
import { pruneAlerts } from '../store/spending-alerts';
import { cancelAbandonedTopUps } from '../store/top-up-rows';

/**
 * Voids ended offers, cancels orders whose hold is about to lapse, and enqueues a retrieval of stale card orders and
 * top-ups.
 */
export async function expireOrders(now: Date): Promise<void> {
  await voidEndedOffers('all', now);
  const expiring = await findExpiringAuthorizations(new Date(now.getTime() + HOLD_EXPIRY_MARGIN_MS), SWEEP_BATCH_SIZE);
  for (const order of expiring) await cancelHeldOrder(order, 'authorization_lapsed', now);
  await enqueueStaleOrders(before(now, STALE_CHARGE_MS), now);
}

/** Deletes old completed jobs, idempotency keys and spending alerts, and expires abandoned top-ups. */
export async function prunePayments(now: Date): Promise<void> {
  await pruneOutbox(before(now, OUTBOX_RETENTION_MS));
  await cancelAbandonedTopUps(before(now, ABANDONED_TOP_UP_MS), now);
  await pruneIdempotencyKeys(now);
  const outdated = before(now, SPENDING_ALERT_RETENTION_MS);
  while ((await pruneAlerts(outdated, ALERT_PRUNE_BATCH_SIZE)) === ALERT_PRUNE_BATCH_SIZE);
}

/** Processes Stripe events whose webhook delivery may have failed. */
export async function reconcileStripeEvents(now: Date): Promise<void> {
  if (!cardsEnabled()) return;
  const last = (await lastEventAt()) ?? before(now, DEFAULT_EVENT_LOOKBACK_MS);
  const since = Math.max(last.getTime() - EVENT_OVERLAP_MS, now.getTime() - MAX_EVENT_LOOKBACK_MS);
  for await (const event of listStripeEvents(new Date(since))) await processStripeEvent(event, now);
}

function before(now: Date, ms: number): Date {
  return new Date(now.getTime() - ms);
}
