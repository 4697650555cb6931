import { findAgentById } from '../../catalog';
import { notifyPerson } from '../../identity';
import { dataParts, type SendToMerchant, toMerchantMessage } from '../merchants/merchant-message';
import type { OrderOutcome } from '../ports';
import type { OrderRecord } from '../record';
import { receiptIdOfOutcome, signReceipts } from '../signing/sign-receipts';
import type { StoredReceipt } from '../store/receipts';
import { notifyDecline } from './notify-decline';
import { orderEmail } from './order-email';

/**
 * Tells both sides how an order went: the merchant by a signed receipt on the task, the buyer by mail. Each announcement is
 * sent under one message id, and the mail only once the merchant has been told or cannot be.
 * @throws when the merchant is not reached, so that it is tried again
 */
export async function notifyParties(
  order: OrderRecord,
  outcome: OrderOutcome,
  deps: { now: Date; signal: AbortSignal; send: SendToMerchant },
): Promise<void> {
  if (outcome.event === 'declined') return notifyDecline(order, outcome, deps);
  const receipt = pickReceipt(await signReceipts(order.id, deps.now), outcome);
  if (receipt) await sendReceipt(order, receipt, deps);
  const agent = await findAgentById(order.agentId);
  const mail = orderEmail(order, outcome, agent?.slug ?? order.agentId);
  await notifyPerson({ ctx: deps, input: { userId: order.userId, kind: 'orders', mail } });
}

function pickReceipt(receipts: StoredReceipt[], outcome: OrderOutcome): StoredReceipt | undefined {
  const id = receiptIdOfOutcome(outcome);
  return receipts.find((receipt) => (id === null ? receipt.kind === 'parley' : receipt.id === id));
}

async function sendReceipt(
  order: OrderRecord,
  { id, token, content }: StoredReceipt,
  { now, signal, send }: { now: Date; signal: AbortSignal; send: SendToMerchant },
): Promise<void> {
  const parts = dataParts([{ 'ap2.PaymentReceipt': token }, { 'ap2.PaymentReceipt': content }]);
  const message = await toMerchantMessage(order, { topic: id, parts, now, signal });
  const sent = message && (await send(message));
  if (sent?.kind === 'unreachable') throw new Error('the merchant was not reached with a receipt');
}
