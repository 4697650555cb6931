import { type AgentRecord, findAgentById } from '../../catalog';
import { inTransaction } from '../../platform/db/tx';
import { newId } from '../../platform/ids';
import { env } from '../../platform/runtime/env';
import { log } from '../../platform/runtime/log';
import type { AnsweredMessage } from '../../protocol/a2a/core/message-origin';
import type { Part } from '../../protocol/a2a/core/model';
import { type CheckedCart, checkCart } from '../../protocol/ap2/check-cart';
import { detectAp2Object } from '../../protocol/ap2/detect-ap2-object';
import { type Confirmation, readConfirmation } from '../../protocol/ap2/read-confirmation';
import type { JsonValue } from '../../protocol/json';
import { MAX_CART_LENGTH, MAX_MERCHANT_ORDER_ID_LENGTH, MAX_REPLY_ATTEMPTS } from '../limits';
import { findCartSigner, refreshCartSigner } from '../merchants/merchant-settings';
import type { DeliveryResult } from '../ports';
import type { OrderRecord } from '../record';
import { isIn, unconfirmedStates } from '../schema-states';
import { hasOffer, type OfferSource, saveOffer, toSourceId } from '../store/offers';
import { findMandates, saveReceipt } from '../store/order-details';
import { findAwaitingMerchant, findOrderById } from '../store/orders';
import { applyMerchantReply } from './apply-merchant-reply';
import { checkEligibility } from './check-order';

/** The payment-related messages and artifacts of an agent, complete and stored. */
interface PaymentMessage {
  userId: string;
  agentId: string;
  taskId: string;
  contextId: string;
  /** The message that the agent's output answers. */
  answers: AnsweredMessage | null;
  sources: { kind: 'message' | 'artifact'; id: string; parts: Part[] }[];
}

/** Processes an agent's offers and its responses to mandates. Idempotent. Code in this file cannot sign or pay. */
export async function onAgentMessage(message: PaymentMessage, now: Date): Promise<void> {
  await ingestOffers(message, now);
  await ingestConfirmations(message, now);
}

/** Creates one order per cart: verified, or rejected with the failed check. */
async function ingestOffers({ sources, answers, ...place }: PaymentMessage, now: Date): Promise<void> {
  const agent = await findAgentById(place.agentId);
  const origin = { ...place, answeredOrigin: answers?.origin ?? null, answeredMessage: answers?.key ?? null };
  if (!agent) return;
  for (const { kind: sourceKind, id: sourceId, parts } of sources) {
    for (const [sourcePart, part] of parts.entries()) {
      const text = cartTextOf(part);
      if (text === null) continue;
      const source: OfferSource = { ...origin, sourceKind, sourceId: toSourceId(sourceId), sourcePart };
      await ingestOffer(source, text, { agent, now });
    }
  }
}

function cartTextOf(part: Part): string | null {
  if (part.kind !== 'data' || detectAp2Object(part.data)?.kind !== 'cart') return null;
  return part.text ?? JSON.stringify(part.data);
}

async function ingestOffer(
  source: OfferSource,
  text: string,
  { agent, now }: { agent: AgentRecord; now: Date },
): Promise<void> {
  const cartText = text.replaceAll('\0', '').slice(0, MAX_CART_LENGTH);
  if (await hasOffer(source, cartText)) return;
  const { checks, offer, cartHash, issuer, jti, checkoutJwt } = await checkNewCart(text, { agent, now });
  const found = { ...source, cartText, cartHash, issuer, jti, checkoutJwt, offer, checks };
  await saveOffer(found, { at: now, checkEligibility: (tx) => checkEligibility(tx, found, { agent, order: null }) });
}

const unknownKeyCodes = new Set(['unknown_key', 'merchant_authorization_invalid']);

/** Runs checks C1 to C13. Checks a cart with an unpinned key id again after the listing's keys have been fetched. */
async function checkNewCart(text: string, { agent, now }: { agent: AgentRecord; now: Date }): Promise<CheckedCart> {
  const checked = await checkWithPinnedKeys(text, { agent, now });
  if (checked.code === null || !unknownKeyCodes.has(checked.code)) return checked;
  // Checked again even if no keys were fetched, because another cart may have caused them to be pinned in the meantime.
  await refreshCartSigner(agent, now);
  return checkWithPinnedKeys(text, { agent, now });
}

async function checkWithPinnedKeys(
  text: string,
  { agent, now }: { agent: AgentRecord; now: Date },
): Promise<CheckedCart> {
  const { keys, issuer, subject } = await findCartSigner(agent, now);
  return checkCart(text, { keys, issuer, subject, audience: env().APP_URL, now });
}

/**
 * Applies receipts of merchants to the orders that await them. A receipt must be signed by the merchant's pinned key
 * and reference one of the order's mandates. Other receipts are ignored.
 */
async function ingestConfirmations({ sources, ...origin }: PaymentMessage, now: Date): Promise<void> {
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
      log.info('payments.receipt_rejected', { orderId: order.id, code: found.code });
    } else if (found) {
      await applyReply(order.id, found, now);
      return;
    }
  }
}

type MerchantReply = Exclude<Confirmation, { outcome: 'invalid' }>;

/** Applies a reply at most once, because it requires an order without a reply. */
async function applyReply(orderId: string, reply: MerchantReply, now: Date): Promise<void> {
  for (let attempt = 0; attempt < MAX_REPLY_ATTEMPTS; attempt++) {
    const order = await findOrderById(orderId);
    if (!order || !isIn(order, unconfirmedStates)) return;
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
  if (reply.outcome === 'confirmed') {
    return { kind: 'confirmed', merchantOrderId: reply.merchantOrderId.slice(0, MAX_MERCHANT_ORDER_ID_LENGTH) };
  }
  return { kind: 'rejected', code: /^[\w.-]{1,60}$/.test(reply.code) ? reply.code : 'merchant_refused' };
}
