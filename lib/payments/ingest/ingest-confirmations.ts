import { type AgentRecord, findAgentById } from '../../catalog';
import { newId } from '../../platform/ids';
import { log } from '../../platform/log';
import { inTransaction } from '../../platform/tx';
import { type Confirmation, readConfirmation } from '../../protocol/ap2/read-confirmation';
import type { JsonValue } from '../../protocol/json';
import { applyMerchantReply } from '../mandates/apply-merchant-reply';
import { findCartSigner } from '../merchants/cart-signer';
import type { DeliveryResult } from '../ports';
import type { OrderRecord } from '../record';
import { findMandates } from '../store/mandates';
import { findAwaitingMerchant, findOrderById } from '../store/orders';
import { saveReceipt } from '../store/receipts';
import type { PaymentMessage } from './ingest-offers';

/** Somebody else moved the order at the same moment: it is looked at again so often. */
const maxAttempts = 5;

/**
 * Moves orders on by what their merchant says of the mandates: a receipt that its pinned key signed and that names one of them
 * confirms or refuses. What does not hold is not heard; the order waits on. Nothing here can sign or pay.
 */
export async function ingestConfirmations({ sources, ...origin }: PaymentMessage, now: Date): Promise<void> {
  const data = sources.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'data' ? [part.data] : [])));
  if (data.length === 0) return;
  const agent = await findAgentById(origin.agentId);
  const orders = agent ? await findAwaitingMerchant(origin) : [];
  for (const order of orders) if (agent) await ingestConfirmation(order, data, { agent, now });
}

async function ingestConfirmation(
  order: OrderRecord,
  data: JsonValue[],
  { agent, now }: { agent: AgentRecord; now: Date },
): Promise<void> {
  const mandates = (await findMandates(order.id))?.mandates ?? [];
  const { keys, issuer } = await findCartSigner(agent, now);
  const references = mandates.flatMap(({ reference, leafReference }) => [reference, leafReference]);
  const trust = { keys, issuer, references, cartId: order.cartId ?? '', now };
  for (const value of data) {
    const found = references.length > 0 ? await readConfirmation(value, trust) : null;
    if (found?.outcome === 'invalid') {
      log.info('payments.receipt_refused', { orderId: order.id, code: found.code });
    } else if (found) {
      await applyReply(order.id, found, now);
      return;
    }
  }
}

type MerchantReply = Exclude<Confirmation, { outcome: 'invalid' }>;

/** Once: the order's own state says whether its merchant has spoken before. */
async function applyReply(orderId: string, reply: MerchantReply, now: Date): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const order = await findOrderById(orderId);
    if (order?.state !== 'authorized' && order?.state !== 'mandate_delivered') return;
    const moved = await inTransaction(async (tx) => {
      if (!(await applyMerchantReply(tx, { order, delivery: deliveryOf(reply), at: now }))) return false;
      const { token, content } = reply;
      await saveReceipt({ id: newId('rcp'), orderId, kind: 'merchant', token, content, createdAt: now }, tx);
      return true;
    });
    if (moved) return;
  }
}

function deliveryOf(reply: MerchantReply): DeliveryResult {
  if (reply.outcome === 'confirmed') return { kind: 'confirmed', merchantOrderId: reply.merchantOrderId.slice(0, 200) };
  return { kind: 'rejected', code: /^[\w.-]{1,60}$/.test(reply.code) ? reply.code : 'merchant_refused' };
}
