import { createHash } from 'node:crypto';
import { findAgentById } from '../../catalog';
import { newUuid } from '../../platform/ids';
import { env } from '../../platform/runtime/env';
import { signOpenMandates } from '../../protocol/ap2/open-mandates';
import { type MandateFacts, writeMandates } from '../../protocol/ap2/write-mandates';
import { paymentSigner } from '../../tokens/keys/payment-signer';
import { CART_SIGNATURE_SECONDS, MANDATE_LIFETIME_MS } from '../limits';
import type { OrderRecord } from '../record';
import { isIn, unconfirmedStates } from '../schema-states';
import { findDraft, findUsedApproval } from '../store/approvals';
import { findMandates, saveMandates } from '../store/order-details';
import { findOrderById } from '../store/orders';
import { openTermsOf, readStandingText } from './standing-text';

type SignedMandates = NonNullable<Awaited<ReturnType<typeof findMandates>>>;

/**
 * Signs the mandates of an order once. Later calls return the stored ones. All signed claims come from the stored order
 * and its approval. Returns null unless the order's money is held and its merchant has not responded.
 */
export async function signMandates(orderId: string, now: Date): Promise<SignedMandates | null> {
  const order = await findOrderById(orderId);
  if (!order || !isIn(order, unconfirmedStates)) return null;
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

/**
 * Signs the `merchant_authorization` of a cart for a listing. Parley is the issuer and the audience, the listing is the
 * subject. Only the hash of the cart is signed, so the JWT cannot be used as a mandate or receipt.
 */
export async function signCart(cart: { agentId: string; cartHash: string }, now: Date): Promise<string> {
  if (!/^[\w-]{43}$/.test(cart.cartHash)) throw new Error('expected a SHA-256 in base64url');
  const iat = Math.floor(now.getTime() / 1000);
  const { APP_URL } = env();
  const { sign } = await paymentSigner(now);
  return sign('cart+jwt', {
    iss: APP_URL,
    sub: cart.agentId,
    aud: APP_URL,
    iat,
    exp: iat + CART_SIGNATURE_SECONDS,
    jti: newUuid(),
    cart_hash: cart.cartHash,
  });
}

/**
 * Signs the open mandates of a stored draft, as the Trusted Agent Provider of AP2 0.2. The caller must have verified
 * the user's passkey assertion over its text. Parley's own key may close them. Returns null if there is no such draft.
 */
export async function signOpenMandatesOf(
  { userId, id }: { userId: string; id: string },
  now: Date,
): Promise<{ checkout: string; payment: string } | null> {
  const draft = await findDraft(userId, id, now);
  if (!draft) return null;
  const { publicJwk: agentKey, sign } = await paymentSigner(now);
  const signing = { sign, issuer: env().APP_URL, newId: newUuid };
  const text = readStandingText(draft.text);
  return signOpenMandates(openTermsOf(text), { agentKey, now, expiresAt: new Date(text.expires_at) }, signing);
}
