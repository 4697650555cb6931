import { findAgentById } from '../../catalog';
import { appendAudit, paidByStanding } from '../../observability';
import { inTransaction, lockName, publishAtCommit, type Tx } from '../../platform/db/tx';
import { hasCode } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { canonicalJson } from '../../protocol/jcs';
import { startCharge } from '../charges/charge';
import { isTestMode } from '../charges/stripe-mode';
import { findCartSigner } from '../merchants/cart-signer';
import { type OpenOrder, recheck } from '../orders/load-open-order';
import { voidEndedOffers } from '../orders/void-offers';
import type { OrderRecord } from '../record';
import type { StandingFailure } from '../schema-standing';
import { saveUsedApproval } from '../store/approvals';
import { moveOrder } from '../store/move-order';
import { findCredit, findOrderById } from '../store/orders';
import { isSuspended } from '../store/spending-subjects';
import { findOrigin } from '../store/spending-usage';
import { findOpenStanding, type StandingRecord, saveStandingFailure } from '../store/standing-approvals';
import { findStandingFailure, isGenuine } from './find-failure';

/**
 * Pays an order from the wallet automatically, if one of its buyer's standing approvals covers it; else stores the
 * reason. Idempotent: only an order that has not been reviewed is paid.
 */
export async function payByStanding({ id }: OrderRecord, now: Date): Promise<void> {
  // An offer can also end with its task; this is checked in the same way as when the order is opened.
  await voidEndedOffers({ orderId: id }, now);
  const order = await findOrderById(id);
  if (order?.state !== 'verified') return;
  const agent = await findAgentById(order.agentId);
  const open = { order, agent, signer: agent && (await findCartSigner(agent, now)) };
  let failure: StandingFailure | null = null;
  for (const standing of await findOpenStanding(order, now)) {
    const found = (await isGenuine(standing)) ? await pay(open, standing, now) : 'invalid';
    if (found === null) return;
    failure ??= found;
  }
  if (failure) await recordFailure(order.id, failure);
}

/** Null when the order is paid, or is no longer open. */
async function pay(open: OpenOrder, { id }: StandingRecord, now: Date): Promise<StandingFailure | null> {
  try {
    return await inTransaction((tx) => payUnderLock(tx, { open, standingId: id, now }));
  } catch (error) {
    if (hasCode(error, 'spending_limit_exceeded')) return 'spending_limit';
    throw error;
  }
}

async function payUnderLock(
  tx: Tx,
  { open, standingId, now }: { open: OpenOrder; standingId: string; now: Date },
): Promise<StandingFailure | null> {
  const { order } = open;
  await lockName(tx, `spending ${order.userId}`);
  // Read again, because it may have been paused or revoked before the lock was acquired.
  const standing = (await findOpenStanding(order, now, tx)).find(({ id }) => id === standingId);
  if (!standing) return 'payment.execution_date';
  const failure = await findStandingFailure(tx, { standing, order, now });
  if (failure) return failure;
  if (await isSuspended(tx, order.userId)) return 'stopped';
  const { userId, currency, amount } = order;
  if ((await findCredit(tx, { userId, currency, test: isTestMode() })) < amount) return 'balance';
  if ((await recheck(tx, open, now)).some(({ ok }) => !ok)) return 'cart';
  const { id, version } = order;
  if (!(await moveOrder(tx, { id, from: 'verified', version, to: 'awaiting_approval', at: now }))) return null;
  const reviewed = await findOrderById(id, tx);
  if (!reviewed) return null;
  const { credentialId } = await findOrigin(tx, { credentialId: null, taskId: order.taskId });
  const approval = { id: newId('apv'), orderId: id, text: approvalTextOf(order, standing), expiresAt: now };
  await saveUsedApproval(tx, approval, { method: 'standing', credentialId, at: now });
  const charge = { order: reviewed, method: 'wallet' as const, credentialId, standingId, at: now };
  if (!(await startCharge(tx, charge))) throw new Error(`order ${id} changed while it was locked`);
  await appendAudit(tx, paidByStanding({ userId: order.userId, orderId: id, standingId, at: now }));
  return null;
}

/** The approval text: this cart, approved by the standing approval. */
function approvalTextOf(order: OrderRecord, { id }: StandingRecord): string {
  const { userId, agentId, contextId, cartHash, amount, currency } = order;
  return canonicalJson({
    ...{ v: 1, order_id: order.id, user_id: userId, agent_id: agentId, context_id: contextId },
    ...{ cart_hash: cartHash, amount, currency, standing_approval: id },
  });
}

async function recordFailure(orderId: string, failure: StandingFailure): Promise<void> {
  await inTransaction(async (tx) => {
    await saveStandingFailure(tx, orderId, failure);
    await publishAtCommit(tx, 'order', orderId);
  });
}
