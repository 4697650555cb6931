import { type AgentRecord, findAgentById } from '../../catalog';
import { isCallable } from '../../catalog/schema';
import type { Ctx } from '../../platform/context';
import { inTransaction, type Tx } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import { env } from '../../platform/runtime/env';
import { checkCart } from '../../protocol/ap2/check-cart';
import { isTestMode } from '../charges/stripe-mode';
import { type CartSigner, findCartSigner } from '../merchants/merchant-settings';
import type { OrderRecord } from '../record';
import type { CheckView } from '../schema';
import { endedUnpaidStates, isIn, unapprovedStates } from '../schema-states';
import { moveOrder } from '../store/move-order';
import { findDuplicate, hasLaterOffer, type NewOffer } from '../store/offers';
import { findTaskStateIn } from '../store/order-tasks';
import { isPayableAfterCompletion, reasonOf, reasonOfCode, taskEndCode, voidEndedOffers } from './end-offers';
import { loadOwnOrder } from './read-orders';

/** An order with the data against which its cart is verified. */
export interface OpenOrder {
  order: OrderRecord;
  agent: AgentRecord | null;
  signer: CartSigner | null;
}

/**
 * Loads the user's own order with its agent and cart signer.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `not_found` (also for other users' orders)
 */
export async function loadOpenOrder(ctx: Ctx, id: string): Promise<OpenOrder> {
  const order = await loadOwnOrder(ctx, id);
  const agent = await findAgentById(order.agentId);
  return { order, agent, signer: agent && (await findCartSigner(agent, ctx.now)) };
}

/** Repeats C1 to C14 on the stored cart. Uses no database connection except `tx`. */
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

/** Throws if the task has ended since {@link loadOpenOrder}. */
async function checkTask(tx: Tx, order: OrderRecord): Promise<CheckView[]> {
  const code = taskEndCode(await findTaskStateIn(tx, order));
  if (code === null || (code === 'task_completed' && isPayableAfterCompletion(order.id))) return [];
  return [{ code, ok: false, text: reasonOfCode(code) }];
}

/**
 * Requires that all checks passed. Otherwise, ends the order if the first failed check means that the offer expired or
 * was superseded, or as {@link voidEndedOffers} does.
 * @throws {ParleyError} `cart_refused` with the first failed check
 */
export async function assertChecksPass(order: OrderRecord, checks: CheckView[], at: Date): Promise<void> {
  const failed = checks.find(({ ok }) => !ok);
  if (!failed) return;
  const { id, version, state } = order;
  const ended = { cart_expired: 'expired', signature_expired: 'expired', superseded: 'superseded' } as const;
  const to = Object.hasOwn(ended, failed.code) ? ended[failed.code as keyof typeof ended] : null;
  if (to && isIn(order, unapprovedStates)) {
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
  if (isIn(order, unapprovedStates)) return;
  const failed = checks.find(({ ok }) => !ok);
  if (state === 'rejected') {
    const text = failed?.text ?? 'This cart cannot be paid.';
    throw new ParleyError('cart_refused', text, { data: { check: code, checks } });
  }
  throw new ParleyError('conflict', closedReason(order), { data: { state, check: code } });
}

/** Returns why an order is closed: its end, or its approval. */
export function closedReason(order: OrderRecord): string {
  const { state } = order;
  if (state !== 'rejected' && !endedUnpaidStates.includes(state)) return 'This order was already approved.';
  return reasonOf(order) ?? 'This order has ended. You were not charged.';
}

type EligibilityInput = Pick<NewOffer, 'userId' | 'agentId' | 'contextId' | 'cartHash' | 'jti'>;

/**
 * Runs C14 (docs/payments.md), up to the first failed check: the cart must be new and in its own context, and the
 * seller must be permitted to sell to this user. `order` is the stored order of the cart, if there is one.
 */
export async function checkEligibility(
  tx: Tx,
  cart: EligibilityInput,
  { agent, order }: { agent: AgentRecord | null; order: OrderRecord | null },
): Promise<CheckView[]> {
  const checks: CheckView[] = [];
  for (const found of [
    await checkNew(tx, cart, order),
    await checkLatest(tx, order),
    checkSeller(cart, agent),
  ].flat()) {
    checks.push(found);
    if (!found.ok) break;
  }
  return checks;
}

async function checkNew(tx: Tx, cart: EligibilityInput, order: OrderRecord | null): Promise<CheckView[]> {
  const duplicate = await findDuplicate(tx, { ...cart, orderId: order?.id ?? null });
  const elsewhere = duplicate !== null && duplicate.userId === cart.userId && duplicate.contextId !== cart.contextId;
  const replayed = duplicate !== null && !elsewhere;
  return [
    {
      code: 'replayed_cart',
      ok: !replayed,
      text: replayed
        ? 'This cart was already offered. A signed cart can be used only once.'
        : 'Cart not offered before',
    },
    {
      code: 'wrong_context',
      ok: !elsewhere,
      text: elsewhere ? 'This cart belongs to another conversation.' : 'Belongs to this conversation',
    },
  ];
}

async function checkLatest(tx: Tx, order: OrderRecord | null): Promise<CheckView> {
  const ok = order === null || (order.state !== 'superseded' && !(await hasLaterOffer(tx, order)));
  const text = ok ? 'This is the latest offer' : 'The agent has made a newer offer, which replaces this one.';
  return { code: 'superseded', ok, text };
}

function checkSeller({ userId }: EligibilityInput, agent: AgentRecord | null): CheckView[] {
  const callable = agent !== null && isCallable(agent.status);
  const own = agent?.ownerId === userId && !isDemo();
  return [
    {
      code: 'seller_unavailable',
      ok: callable,
      text: callable ? 'Seller active' : 'The agent is no longer available, so it cannot be paid.',
    },
    {
      code: 'self_purchase',
      ok: !own,
      text: own ? 'This is your own agent. You cannot buy from yourself.' : 'Buyer and seller are different people',
    },
  ];
}

/** Returns true for the demo, whose only user owns the shop and may buy there with test credits. */
function isDemo(): boolean {
  return env().DEMO && isTestMode();
}
