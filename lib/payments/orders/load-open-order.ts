import { type AgentRecord, findAgentById } from '../../catalog';
import type { Ctx } from '../../platform/context';
import { inTransaction, type Tx } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import { env } from '../../platform/runtime/env';
import { checkCart } from '../../protocol/ap2/check-cart';
import { type CartSigner, findCartSigner } from '../merchants/cart-signer';
import type { OrderRecord } from '../record';
import type { CheckView } from '../schema';
import { findTaskState } from '../store/ended-offers';
import { moveOrder } from '../store/move-order';
import { checkEligibility } from './check-eligibility';
import { reasonOf, reasonOfCode, taskEndCode } from './end-reasons';
import { hasEndedUnpaid } from './order-states';
import { loadOwnOrder } from './read-orders';
import { isPayableAfterCompletion, voidEndedOffers } from './void-offers';

/** An order with the data against which its cart is verified. */
export interface OpenOrder {
  order: OrderRecord;
  agent: AgentRecord | null;
  signer: CartSigner | null;
}

/**
 * The user's own order with its agent and cart signer.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `not_found` also for other users' orders
 */
export async function loadOpenOrder(ctx: Ctx, id: string): Promise<OpenOrder> {
  const order = await loadOwnOrder(ctx, id);
  const agent = await findAgentById(order.agentId);
  return { order, agent, signer: agent && (await findCartSigner(agent, ctx.now)) };
}

/** Repeats C1 to C14 on the stored cart. Uses no database connection other than `tx`. */
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
    return [
      ...checks,
      { code: 'cart_hash_mismatch', ok: false, text: 'The cart differs from the one that was stored.' },
    ];
  return [...checks, ...(await checkEligibility(tx, order, { agent, order })), ...(await checkTask(tx, order))];
}

/** Fails when the task has ended since {@link loadOpenOrder}. */
async function checkTask(tx: Tx, { id, taskId }: OrderRecord): Promise<CheckView[]> {
  const code = taskEndCode(await findTaskState(taskId, tx));
  if (code === null || (code === 'task_completed' && isPayableAfterCompletion(id))) return [];
  return [{ code, ok: false, text: reasonOfCode(code) }];
}

/**
 * Ends the order when a failed check means that the offer expired or was superseded.
 * @throws {ParleyError} `cart_refused` with the first failed check
 */
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
 * Requires an order that can still be approved.
 * @throws {ParleyError} `cart_refused` for a rejected cart, `conflict` with the reason otherwise
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

/** The reason why an order is closed: its end, or its approval. */
export function closedReason(order: OrderRecord): string {
  const { state } = order;
  if (state !== 'rejected' && !hasEndedUnpaid(state)) return 'This order was already approved.';
  return reasonOf(order) ?? 'This order has ended. You were not charged.';
}
