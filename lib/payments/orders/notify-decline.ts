import { type SendToMerchant, toMerchantMessage } from '../merchants/merchant-message';
import type { OrderOutcome } from '../ports';
import type { OrderRecord } from '../record';
import { findTaskState } from '../store/ended-offers';

/** How long the agent is tried, milliseconds: after that the decline is of no interest to it. */
const notifyTimeoutMs = 600_000;

/** States in which an agent waits for a word about its offer. */
const openTaskStates: ReadonlySet<string> = new Set(['submitted', 'working', 'input-required', 'auth-required']);

/**
 * Tells the agent, in the person's name and on the task of the offer, that it was declined. A task that has ended is left
 * alone: nobody waits there, and a message would open a new one.
 * @throws when the agent is not reached, so that it is tried again
 */
export async function notifyDecline(
  order: OrderRecord,
  { credentialId }: OrderOutcome & { event: 'declined' },
  { now, signal, send }: { now: Date; signal: AbortSignal; send: SendToMerchant },
): Promise<void> {
  if (now.getTime() - order.updatedAt.getTime() > notifyTimeoutMs) return;
  if (!openTaskStates.has((await findTaskState(order.taskId)) ?? '')) return;
  const text = `I decline this offer (cart ${order.offer?.cartId ?? order.id}).`;
  // The metadata lets our own pages show one line in place of the text.
  const metadata = { 'parley.outcome': 'declined', 'parley.order': order.id };
  const parts = [{ kind: 'text' as const, text, metadata }];
  const message = await toMerchantMessage(order, { topic: 'declined', parts, credentialId, now, signal });
  const sent = message && (await send(message));
  if (sent?.kind === 'unreachable') throw new Error('the agent was not reached with a decline');
}
