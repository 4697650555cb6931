import { canonicalText, hashJson, hashText } from '@parley/agent/ap2';
import type { z } from 'zod';
import { type AgentRecord, findAgent } from '../../catalog';
import type { Actor, Call } from '../../platform/context';
import { inTransaction } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import { checkOffer } from '../../protocol/ap2/offer';
import { readCart } from '../../protocol/ap2/read-cart';
import { isObject, type JsonObject, nonEmptyString } from '../../protocol/json';
import { signCart } from '../ap2/sign-mandates';
import type { DeliveryResult } from '../ports';
import type { OrderRecord } from '../record';
import type { CheckView } from '../schema';
import type {
  cartToSignSchema,
  claimSchema,
  MandateVerdict,
  mandateSchema,
  signedCartSchema,
} from '../schema-merchants';
import { isIn, unconfirmedStates } from '../schema-states';
import { findMerchant } from '../store/merchants';
import { acknowledgeMandates, findMandates, findOrderOfMandate, type StoredMandate } from '../store/order-details';
import { findOrderById } from '../store/orders';
import { applyMerchantReply } from './apply-merchant-reply';
import { reasonOf } from './end-offers';

type SignedCart = z.infer<typeof signedCartSchema>;
type MandateInput = z.infer<typeof mandateSchema>;
type ClaimInput = z.infer<typeof claimSchema>;

/**
 * Signs the contents of a cart for a listing with platform signing. The cart must be readable, correct in its sums,
 * unexpired, and specify the listing as the merchant.
 * @throws {ParleyError} `invalid_client`, `not_found`; `forbidden` if the listing signs its own carts; `cart_refused`
 *   with the failed check
 */
export async function authorizeCart({ ctx, input }: Call<z.infer<typeof cartToSignSchema>>): Promise<SignedCart> {
  const agent = await requireOwnListing(ctx.actor, input.agent);
  if ((await findMerchant(agent.id))?.signing !== 'platform') {
    throw new ParleyError(
      'forbidden',
      'This agent signs its own carts. To have Parley sign them, its owner can change the selling settings.',
    );
  }
  const { contents } = input;
  assertPassed(checkMerchantName(contents, agent));
  const cartHash = await hashJson(contents);
  const reading = readCart({ contents });
  if (!reading.ok)
    assertPassed({ code: reading.code, ok: false, text: `The cart could not be read: ${reading.faults.join('; ')}.` });
  else assertPassed(checkOffer(reading.offer, ctx.now.getTime()).find(({ ok }) => !ok));
  return { merchant_authorization: await signCart({ agentId: agent.id, cartHash }, ctx.now), cart_hash: cartHash };
}

/** Checks that the cart does not name another merchant, in whose name Parley must not sign. */
function checkMerchantName({ merchant_name: name }: JsonObject, agent: AgentRecord): CheckView | undefined {
  if (name === agent.name || name === agent.slug) return undefined;
  const text = `merchant_name: expected "${agent.name}" or "${agent.slug}", the names of this listing.`;
  return { code: 'wrong_merchant', ok: false, text };
}

function assertPassed(failed: CheckView | undefined): void {
  if (failed) throw new ParleyError('cart_refused', failed.text, { data: { check: failed.code } });
}

/** The order of a mandate, with the reason if the mandate is invalid. */
type ResolvedMandate =
  | { kind: 'valid'; order: OrderRecord; mandates: StoredMandate[] }
  | { kind: 'invalid'; code: string; order: OrderRecord | null; mandates: StoredMandate[] };

/**
 * Verifies a mandate for an agent's own app. `valid` is true if Parley signed it for this agent, the mandate is
 * unaltered and unexpired, and its money is held. Otherwise, `valid` is false, with the reason. Other agents' mandates
 * count as unknown.
 * @throws {ParleyError} `invalid_client`, `not_found`
 */
export async function verifyMandate({ ctx, input }: Call<MandateInput>): Promise<MandateVerdict> {
  const agent = await requireOwnListing(ctx.actor, input.agent);
  return toVerdict(await resolveMandate(input.mandate, { agent, now: ctx.now }));
}

/**
 * Applies the merchant's decision on a mandate, once, for agents that cannot sign: the app's credentials replace the
 * signed receipt. The hold is captured for an accepted mandate and released for a rejected one.
 * @throws {ParleyError} `invalid_client`, `not_found`; `conflict` if the mandate is claimed or invalid, with the state
 *   and code of its order if known
 */
export async function acknowledgeMandate({ ctx, input }: Call<ClaimInput>): Promise<MandateVerdict> {
  const agent = await requireOwnListing(ctx.actor, input.agent);
  const found = await resolveMandate(input.mandate, { agent, now: ctx.now });
  if (found.kind === 'invalid') throw notClaimable(found.code, found.order);
  const { order } = found;
  const delivery: DeliveryResult = input.accept
    ? { kind: 'confirmed', merchantOrderId: input.orderId }
    : { kind: 'rejected', code: 'merchant_refused' };
  await inTransaction(async (tx) => {
    if (!(await acknowledgeMandates(tx, order.id, ctx.now))) throw notClaimable('claimed', order);
    if (!(await applyMerchantReply(tx, { order, delivery, at: ctx.now }))) throw notClaimable('not_held', order);
  });
  const after = await resolveMandate(input.mandate, { agent, now: ctx.now });
  return { ...toVerdict(after), valid: true, code: null };
}

function notClaimable(reason: string, order: OrderRecord | null): ParleyError {
  const message = (order && reasonOf(order)) ?? 'This mandate cannot be claimed.';
  return new ParleyError('conflict', message, {
    data: { reason, ...(order && { state: order.state, check: order.code }) },
  });
}

/**
 * Finds the order of a mandate. Every signed mandate is stored, so its exact text is compared in addition to its
 * signature.
 */
async function resolveMandate(
  received: JsonObject,
  { agent, now }: { agent: AgentRecord; now: Date },
): Promise<ResolvedMandate> {
  const tokens = tokensOf(received);
  const [first] = tokens;
  const orderId = first === undefined ? null : await findOrderOfMandate(await hashText(first));
  const order = orderId === null ? null : await findOrderById(orderId);
  const stored = order && (await findMandates(order.id));
  if (!order || !stored || order.agentId !== agent.id) return invalidMandate('unknown_mandate', null, []);
  const { mandates, data } = stored;
  if (!isUnaltered(received, data) || tokens.some((token) => !mandates.some((mandate) => mandate.token === token))) {
    return invalidMandate('altered_mandate', null, []);
  }
  if (mandates.some(({ expiresAt }) => expiresAt <= now)) return invalidMandate('mandate_expired', order, mandates);
  if (!isIn(order, unconfirmedStates)) return invalidMandate('not_held', order, mandates);
  return { kind: 'valid', order, mandates };
}

function invalidMandate(code: string, order: OrderRecord | null, mandates: StoredMandate[]): ResolvedMandate {
  return { kind: 'invalid', code, order, mandates };
}

/** Returns the tokens in the data of a part, under their AP2 member names. */
function tokensOf(data: JsonObject): string[] {
  const mandate = data['ap2.mandates.PaymentMandate'];
  const names = ['ap2.mandates.PaymentMandateSdJwt', 'ap2.mandates.CheckoutMandateSdJwt', 'ap2.checkout_mandate'];
  const found = [isObject(mandate) ? mandate.user_authorization : undefined, ...names.map((name) => data[name])];
  return found.flatMap((token) => nonEmptyString(token) ?? []);
}

/** Returns true if the PaymentMandate object of AP2 0.1, which accompanies the token, equals the stored one. */
function isUnaltered(received: JsonObject, sent: JsonObject): boolean {
  const name = 'ap2.mandates.PaymentMandate';
  return canonicalText(received[name] ?? null) === canonicalText(sent[name] ?? null);
}

function toVerdict(found: ResolvedMandate): MandateVerdict {
  const { order, mandates } = found;
  const expiries = mandates.map(({ expiresAt }) => expiresAt.getTime());
  return {
    valid: found.kind === 'valid',
    code: found.kind === 'invalid' ? found.code : null,
    order: order && {
      id: order.id,
      state: order.state,
      cartId: order.cartId,
      amount: order.amount,
      currency: order.currency,
      claimed: mandates.some(({ claimedAt }) => claimedAt !== null),
      claimBy: new Date(Math.min(...expiries)).toISOString(),
    },
  };
}

/**
 * Returns the listing that an app serves. The error is the same for unknown listings and those of other apps.
 * @throws {ParleyError} `invalid_client` if the caller is not an app; `not_found`
 */
async function requireOwnListing(actor: Actor, slug: string): Promise<AgentRecord> {
  if (actor.kind !== 'app') {
    throw new ParleyError('invalid_client', 'Authenticate with the client ID and the client secret of your app.');
  }
  const agent = await findAgent(slug);
  if (agent && agent.appId === actor.appId && agent.status !== 'withdrawn') return agent;
  throw new ParleyError('not_found', 'Your app is not linked to an agent with this slug.');
}
