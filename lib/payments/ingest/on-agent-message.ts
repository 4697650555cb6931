import { ingestConfirmations } from './ingest-confirmations';
import { ingestOffers, type PaymentMessage } from './ingest-offers';

/** Takes note of what an agent said about paying: its offers, and its word on mandates that it got. */
export async function onAgentMessage(message: PaymentMessage, now: Date): Promise<void> {
  await ingestOffers(message, now);
  await ingestConfirmations(message, now);
}
