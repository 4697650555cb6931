import type { AgentRecord } from '../../catalog';
import { isCallable } from '../../catalog/schema';
import type { Tx } from '../../platform/db/tx';
import { env } from '../../platform/runtime/env';
import { isTestMode } from '../charges/stripe-mode';
import type { OrderRecord } from '../record';
import type { CheckView } from '../schema';
import { findDuplicate, hasLaterOffer, type NewOffer } from '../store/offers';

type EligibilityInput = Pick<NewOffer, 'userId' | 'agentId' | 'contextId' | 'cartHash' | 'jti'>;

/**
 * C14 (docs/payments.md), up to the first failed check: the cart is new and in its own context, and the seller may
 * sell to this user. `order` is the stored order of the cart, if there is one.
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

/** The demo's only user owns its shop and may buy there with test credits. */
function isDemo(): boolean {
  return env().DEMO && isTestMode();
}
