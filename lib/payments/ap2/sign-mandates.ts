import { createHash } from 'node:crypto';
import { findAgentById } from '../../catalog';
import { newUuid } from '../../platform/ids';
import { env } from '../../platform/runtime/env';
import { type MandateFacts, writeMandates } from '../../protocol/ap2/write-mandates';
import { paymentSigner } from '../../tokens/keys/payment-signer';
import { MANDATE_LIFETIME_MS } from '../limits';
import type { OrderRecord } from '../record';
import { findUsedApproval } from '../store/approvals';
import { findOrderById } from '../store/orders';
import { findMandates, saveMandates } from '../store/signed-documents';

type SignedMandates = NonNullable<Awaited<ReturnType<typeof findMandates>>>;

/**
 * Signs the mandates of an order once; later calls return the stored ones. All signed claims come from the stored order
 * and its approval. Null unless the order's money is held and its merchant has not responded.
 */
export async function signMandates(orderId: string, now: Date): Promise<SignedMandates | null> {
  const order = await findOrderById(orderId);
  if (order?.state !== 'authorized' && order?.state !== 'mandate_delivered') return null;
  const known = await findMandates(orderId);
  if (known) return known;
  const facts = await factsOf(order, now);
  const { publicJwk, sign } = await paymentSigner(now);
  const signing = { sign, publicJwk, newId: newUuid };
  await saveMandates(orderId, await writeMandates(facts, { checkoutJwt: order.checkoutJwt, signing }), now);
  return findMandates(orderId);
}

async function factsOf(order: OrderRecord, now: Date): Promise<MandateFacts> {
  const approval = await findUsedApproval(order.id);
  const agent = await findAgentById(order.agentId);
  const { offer, issuer } = order;
  if (!approval || !agent || !offer || issuer === null) throw new Error(`order ${order.id} has nothing to be signed`);
  const instrument =
    order.method === 'card'
      ? { id: order.id, type: 'card', description: 'Card, held by Parley' }
      : { id: order.id, type: 'wallet', description: order.test ? 'Test credits, held by Parley' : 'Held by Parley' };
  return {
    issuer: env().APP_URL,
    audience: issuer === env().APP_URL ? agent.id : issuer,
    merchantAgent: agent.slug,
    merchantName: offer.merchantName ?? agent.name,
    orderId: order.id,
    offer,
    cartHash: order.cartHash,
    approvalHash: createHash('sha256').update(approval.text).digest('base64url'),
    instrument,
    now,
    expiresAt: new Date(now.getTime() + MANDATE_LIFETIME_MS),
  };
}
