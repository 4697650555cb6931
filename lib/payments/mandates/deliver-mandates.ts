import { dataParts, type SendToMerchant, toMerchantMessage } from '../merchants/merchant-message';
import type { DeliveryResult } from '../ports';
import type { OrderRecord } from '../record';
import { signMandates } from '../signing/sign-mandates';

/** States of a task in which an agent wants nothing more of it. */
const endedStates: ReadonlySet<string> = new Set(['failed', 'rejected', 'canceled']);

/**
 * Signs the mandates of an order whose money is held, once, and sends them to its merchant. `send` is the gateway's;
 * `replayPaymentEvents` has what the merchant answered noticed, should that have been missed.
 */
export async function deliverMandates(
  order: OrderRecord,
  deps: {
    now: Date;
    signal: AbortSignal;
    send: SendToMerchant;
    replayPaymentEvents: (order: OrderRecord) => Promise<void>;
  },
): Promise<DeliveryResult> {
  const { now, signal, send } = deps;
  const signed = await signMandates(order.id, now);
  if (!signed) return { kind: 'unreachable' };
  const message = await toMerchantMessage(order, { topic: 'mandates', parts: dataParts([signed.data]), now, signal });
  if (!message) return { kind: 'rejected', code: 'seller_unavailable' };
  const sent = await send(message);
  if (sent.kind === 'unreachable') return sent;
  await deps.replayPaymentEvents(order);
  if (sent.kind === 'refused') return { kind: 'rejected', code: 'merchant_refused' };
  if (endedStates.has(sent.state)) return { kind: 'rejected', code: `task_${sent.state}` };
  const expiries = signed.mandates.map(({ expiresAt }) => expiresAt.getTime());
  return { kind: 'waiting', until: new Date(Math.min(...expiries)) };
}
