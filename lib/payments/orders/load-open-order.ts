import { type AgentRecord, findAgentById } from '../../catalog';
import type { Ctx } from '../../platform/context';
import { env } from '../../platform/env';
import { ParleyError } from '../../platform/errors';
import { inTransaction, type Tx } from '../../platform/tx';
import { checkCart } from '../../protocol/ap2/check-cart';
import { orderNotFound } from '../errors';
import { type CartSigner, findCartSigner } from '../merchants/cart-signer';
import { requirePayer } from '../policy';
import type { OrderRecord } from '../record';
import type { CheckView } from '../schema';
import { findTaskState } from '../store/ended-offers';
import { moveOrder } from '../store/move-order';
import { findOrder } from '../store/orders';
import { checkEligibility } from './check-eligibility';
import { taskEndCode } from './offer-end-code';
import { hasEndedUnpaid } from './order-states';
import { reasonOf, reasonOfCode } from './reasons';
import { isPayableAfterCompletion, voidEndedOffers } from './void-offers';

/** A person's order with all that its cart is held against. */
export interface OpenOrder {
  order: OrderRecord;
  agent: AgentRecord | null;
  signer: CartSigner | null;
}

/**
 * The person's own order.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `not_found` also for those of others
 */
export async function loadOpenOrder(ctx: Ctx, id: string): Promise<OpenOrder> {
  const { userId } = requirePayer(ctx.actor);
  await voidEndedOffers({ userId }, ctx.now);
  const order = await findOrder({ userId }, id);
  if (!order) throw orderNotFound();
  const agent = await findAgentById(order.agentId);
  return { order, agent, signer: agent && (await findCartSigner(agent, ctx.now)) };
}

/** C1 to C14 of an order's cart as it was sent, anew; asks no other connection than `tx`. */
export async function recheck(tx: Tx, { order, agent, signer }: OpenOrder, now: Date): Promise<CheckView[]> {
  const trust = signer ?? { keys: [], issuer: '', subject: null };
  const { checks, code, cartHash, jti, offer } = await checkCart(order.cartText, {
    ...trust,
    audience: env().APP_URL,
    now,
  });
  if (code !== null) return checks;
  const { minor, currency } = offer?.total ?? { minor: -1, currency: '' };
  const same =
    cartHash === order.cartHash && jti === order.jti && minor === order.amount && currency === order.currency;
  if (!same)
    return [...checks, { code: 'cart_hash_mismatch', ok: false, text: 'The cart is not the one that was kept.' }];
  return [...checks, ...(await checkEligibility(tx, order, { agent, order })), ...(await checkTask(tx, order))];
}

/** The task may have ended since {@link loadOpenOrder}: then there is nothing to pay anymore. */
async function checkTask(tx: Tx, { id, taskId }: OrderRecord): Promise<CheckView[]> {
  const code = taskEndCode(await findTaskState(taskId, tx));
  if (code === null || (code === 'task_completed' && isPayableAfterCompletion(id))) return [];
  return [{ code, ok: false, text: reasonOfCode(code) }];
}

/** The first check that failed, as a refusal; what time or a newer offer ended is ended in the order as well. */
export async function assertChecksPass(order: OrderRecord, checks: CheckView[], at: Date): Promise<void> {
  const failed = checks.find(({ ok }) => !ok);
  if (!failed) return;
  const { id, version, state } = order;
  const ended = { cart_expired: 'expired', signature_expired: 'expired', superseded: 'superseded' } as const;
  const to = Object.hasOwn(ended, failed.code) ? ended[failed.code as keyof typeof ended] : null;
  if (to && (state === 'verified' || state === 'awaiting_approval')) {
    const code = to === 'expired' ? 'offer_expired' : to;
    await inTransaction((tx) => moveOrder(tx, { id, from: state, version, to, code, at }));
  } else {
    await voidEndedOffers({ orderId: id }, at);
  }
  throw new ParleyError('cart_refused', failed.text, { data: { check: failed.code, checks } });
}

/**
 * Refuses an order that is past its approval, or never came to it.
 * @throws {ParleyError} `cart_refused` for one that was rejected, `conflict` with the reason for the others
 */
export function assertOpen(order: OrderRecord): void {
  const { state, code, checks } = order;
  if (state === 'verified' || state === 'awaiting_approval') return;
  const failed = checks.find(({ ok }) => !ok);
  if (state === 'rejected') {
    const text = failed?.text ?? 'This cart cannot be paid.';
    throw new ParleyError('cart_refused', text, { data: { check: code, checks } });
  }
  throw new ParleyError('conflict', closedReason(order), { data: { state, check: code } });
}

/** Why an order is closed: how it ended, or that it was approved before. */
export function closedReason(order: OrderRecord): string {
  const { state } = order;
  if (state !== 'rejected' && !hasEndedUnpaid(state)) return 'This order was approved before.';
  return reasonOf(order) ?? 'This order has ended. Nothing was charged.';
}
