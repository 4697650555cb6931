import type { Delivery } from './ports';
import type { OrderRecord } from './record';
import { signMandates } from './signing/sign-mandates';
import { dataParts, merchantMessage, type Send } from './tell-merchant';

/** States of a task in which an agent wants nothing more of it. */
const turnedAway: ReadonlySet<string> = new Set(['failed', 'rejected', 'canceled']);

/**
 * Signs the mandates of an order whose money is held, once, and sends them to its merchant. `send` is the gateway's;
 * `hearAgain` has what the merchant answered noticed, should that have been missed.
 */
export async function deliverMandates(
  order: OrderRecord,
  tools: { now: Date; signal: AbortSignal; send: Send; hearAgain: (order: OrderRecord) => Promise<void> },
): Promise<Delivery> {
  const { now, signal, send } = tools;
  const signed = await signMandates(order.id, now);
  if (!signed) return { kind: 'unreachable' };
  const message = await merchantMessage(order, { matter: 'mandates', parts: dataParts([signed.data]), now, signal });
  if (!message) return { kind: 'rejected', code: 'seller_unavailable' };
  const sent = await send(message);
  if (sent.kind === 'unreachable') return sent;
  await tools.hearAgain(order);
  if (sent.kind === 'refused') return { kind: 'rejected', code: 'merchant_refused' };
  if (turnedAway.has(sent.state)) return { kind: 'rejected', code: `task_${sent.state}` };
  const ends = signed.mandates.map(({ expiresAt }) => expiresAt.getTime());
  return { kind: 'waiting', until: new Date(Math.min(...ends)) };
}
