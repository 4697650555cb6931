import { processStripeEvent } from '../charges/process-stripe-event';
import { listStripeEvents } from '../charges/stripe';
import { cardsEnabled } from '../charges/stripe-mode';
import { cancelHeldOrder } from '../mandates/apply-merchant-reply';
import { voidEndedOffers } from '../orders/void-offers';
import { pruneIdempotencyKeys } from '../store/idempotency-keys';
import { pruneOutbox } from '../store/outbox';
import { lastEventAt } from '../store/stripe-events';
import { cancelAbandonedTopUps, enqueueStaleOrders, findExpiringAuthorizations } from '../store/sweeps';

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** After this much silence the card processor is asked by ourselves. */
const stalenessMs = 2 * minuteMs;
/** A hold is given up this long before it lapses. */
const expiryMarginMs = 60 * minuteMs;
const retentionMs = 30 * dayMs;
/** The card processor lists notices of the last 30 days; we ask for those since the last that came, and a little before. */
const maxOutageMs = 30 * dayMs;
const overlapMs = 10 * minuteMs;
const batchSize = 100;

/** Ends offers that nobody read since they ended, and does what time alone brings: holds about to lapse, and notices that never came. */
export async function expireOrders(now: Date): Promise<void> {
  await voidEndedOffers('all', now);
  const expiring = await findExpiringAuthorizations(new Date(now.getTime() + expiryMarginMs), batchSize);
  for (const order of expiring) await cancelHeldOrder(order, 'authorization_lapsed', now);
  await enqueueStaleOrders(new Date(now.getTime() - stalenessMs), now);
}

/** Forgets work that was done long ago, and top-ups that nobody began to pay. */
export async function prunePayments(now: Date): Promise<void> {
  await pruneOutbox(new Date(now.getTime() - retentionMs));
  await cancelAbandonedTopUps(new Date(now.getTime() - dayMs), now);
  await pruneIdempotencyKeys(now);
}

/** Reads the notices that came, or did not come, while nobody listened. */
export async function reconcileStripeEvents(now: Date): Promise<void> {
  if (!cardsEnabled()) return;
  const last = (await lastEventAt())?.getTime() ?? now.getTime() - dayMs;
  const since = new Date(Math.max(last - overlapMs, now.getTime() - maxOutageMs));
  for await (const event of listStripeEvents(since)) await processStripeEvent(event, now);
}
