import { noticeConfirmations } from './notice-confirmations';
import { type Heard, noticeOffers } from './notice-offers';

/** Takes note of what an agent said about paying: its offers, and its word on mandates that it got. */
export async function hearAgent(heard: Heard, now: Date): Promise<void> {
  await noticeOffers(heard, now);
  await noticeConfirmations(heard, now);
}
