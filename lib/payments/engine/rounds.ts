import { takesCards } from '../money-mode';
import { receiveCardEvent } from '../receive-card-event';
import { cancelHeld } from '../settle-delivery';
import { dropDoneWork } from '../store/outbox';
import { dropOldReplies } from '../store/replies';
import { dropUnopenedTopUps, enqueueSilent, findLapsingHolds } from '../store/rounds';
import { lastEventAt } from '../store/stripe-events';
import { listEvents } from '../stripe';
import { voidEndedOffers } from '../void-offers';

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** After this much silence the card processor is asked by ourselves. */
const silenceMs = 2 * minuteMs;
/** A hold is given up this long before it lapses. */
const lapseMarginMs = 60 * minuteMs;
const keepWorkMs = 30 * dayMs;
/** The card processor lists notices of the last 30 days; we ask for those since the last that came, and a little before. */
const longestOutageMs = 30 * dayMs;
const overlapMs = 10 * minuteMs;
const perRound = 100;

/** Ends offers that nobody read since they ended, and does what time alone brings: holds about to lapse, and notices that never came. */
export async function tendOrders(now: Date): Promise<void> {
  await voidEndedOffers('all', now);
  const lapsing = await findLapsingHolds(new Date(now.getTime() + lapseMarginMs), perRound);
  for (const order of lapsing) await cancelHeld(order, 'authorization_lapsed', now);
  await enqueueSilent(new Date(now.getTime() - silenceMs), now);
}

/** Forgets work that was done long ago, and top-ups that nobody began to pay. */
export async function tidyPayments(now: Date): Promise<void> {
  await dropDoneWork(new Date(now.getTime() - keepWorkMs));
  await dropUnopenedTopUps(new Date(now.getTime() - dayMs), now);
  await dropOldReplies(now);
}

/** Reads the notices that came, or did not come, while nobody listened. */
export async function catchUpOnEvents(now: Date): Promise<void> {
  if (!takesCards()) return;
  const last = (await lastEventAt())?.getTime() ?? now.getTime() - dayMs;
  const since = new Date(Math.max(last - overlapMs, now.getTime() - longestOutageMs));
  for await (const event of listEvents(since)) await receiveCardEvent(event, now);
}
