import { findAgentById } from '../catalog';
import { notifyPerson } from '../identity';
import { announceDecline } from './announce-decline';
import { orderMail } from './order-mail';
import type { Announcement } from './ports';
import type { OrderRecord } from './record';
import { announcedReceiptId, signReceipts } from './signing/sign-receipts';
import type { KeptReceipt } from './store/receipts';
import { dataParts, merchantMessage, type Send } from './tell-merchant';

/**
 * Tells both sides how an order went: the merchant by a signed receipt on the task, the buyer by mail. Each announcement is
 * sent under one message id, and the mail only once the merchant has been told or cannot be.
 * @throws when the merchant is not reached, so that it is tried again
 */
export async function announceOutcome(
  order: OrderRecord,
  announcement: Announcement,
  tools: { now: Date; signal: AbortSignal; send: Send },
): Promise<void> {
  if (announcement.event === 'declined') return announceDecline(order, announcement, tools);
  const receipt = pick(await signReceipts(order.id, tools.now), announcement);
  if (receipt) await sendReceipt(order, receipt, tools);
  const agent = await findAgentById(order.agentId);
  const mail = orderMail(order, announcement, agent?.slug ?? order.agentId);
  await notifyPerson({ ctx: tools, input: { userId: order.userId, kind: 'orders', mail } });
}

function pick(receipts: KeptReceipt[], announcement: Announcement): KeptReceipt | undefined {
  const id = announcedReceiptId(announcement);
  return receipts.find((receipt) => (id === null ? receipt.kind === 'parley' : receipt.id === id));
}

async function sendReceipt(
  order: OrderRecord,
  { id, token, content }: KeptReceipt,
  { now, signal, send }: { now: Date; signal: AbortSignal; send: Send },
): Promise<void> {
  const parts = dataParts([{ 'ap2.PaymentReceipt': token }, { 'ap2.PaymentReceipt': content }]);
  const message = await merchantMessage(order, { matter: id, parts, now, signal });
  const sent = message && (await send(message));
  if (sent?.kind === 'unreachable') throw new Error('the merchant was not reached with a receipt');
}
