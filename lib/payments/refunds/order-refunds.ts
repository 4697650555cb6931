import { authorize } from '../../identity';
import { publish } from '../../platform/bus';
import type { Call } from '../../platform/context';
import { inTransaction, type Tx } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { orderNotFound, toOrderView } from '../orders/read-orders';
import { toSaleView } from '../orders/sales';
import type { OrderRecord, RefundRecord } from '../record';
import type { OrderView, RefundDecision, RefundRequest, SaleView } from '../schema';
import { createRefund, findRefunds, moveRefund } from '../store/order-details';
import { findOrder } from '../store/orders';
import { enqueueJob } from '../store/outbox';
import { findSale } from '../store/sale-rows';
import { defaultReason, notRefundable, requireUndisputed } from './refund-rules';

/**
 * Requests a full or partial refund, which the seller approves or declines.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `not_found` (also for other users' orders); `conflict`
 *   if the amount is not refundable, or a refund is in progress
 */
export async function requestRefund({ ctx, input }: Call<RefundRequest & { id: string }>): Promise<OrderView> {
  const { userId } = authorize(ctx.actor, { scope: 'pay' });
  const order = await findOrder({ userId }, input.id);
  if (!order) throw orderNotFound();
  const amount = refundableAmount(order, input.amount);
  const draft = { id: newId('rfd'), orderId: order.id, amount, reason: input.reason, createdAt: ctx.now };
  await inTransaction(async (tx) => {
    await requireUndisputed(tx, 'order', order.id);
    if (!(await createRefund(tx, { ...draft, state: 'requested' }))) throw refundInProgress();
  });
  return toOrderView(order, ctx.now);
}

/**
 * Refunds a sale on behalf of the seller, with or without a request, or refuses a requested refund. A granted refund is
 * enqueued when the function returns.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `not_found` (also for other sellers' sales);
 *   `conflict` if the amount is not refundable, there is no request to refuse, or a refund is in progress
 */
export async function decideRefund({ ctx, input }: Call<RefundDecision & { id: string }>): Promise<SaleView> {
  const { userId } = authorize(ctx.actor, { scope: 'agents:write' });
  const order = await findSale({ sellerId: userId }, input.id);
  if (!order) throw new ParleyError('not_found', 'Sale not found.');
  await inTransaction(async (tx) => {
    await requireUndisputed(tx, 'order', order.id);
    const open = (await findRefunds([order.id], tx)).find(({ state }) => state === 'requested' || state === 'approved');
    if (open?.state === 'approved') throw refundInProgress();
    if (input.give) await grantRefund(tx, order, { requested: open, decision: input, at: ctx.now });
    else await refuseRefund(tx, open, ctx.now);
  });
  await publish('order', order.id);
  return toSaleView(order);
}

interface RefundDecisionContext {
  /** The buyer's request that this answers. */
  requested?: RefundRecord | undefined;
  decision: Pick<RefundDecision, 'amount' | 'reason'>;
  at: Date;
}

/**
 * Approves a refund of an order and enqueues it. Returns its id.
 * @throws {ParleyError} `conflict` if the amount is not refundable, or a refund is in progress
 */
export async function grantRefund(
  tx: Tx,
  order: OrderRecord,
  { requested, decision, at }: RefundDecisionContext,
): Promise<string> {
  const amount = refundableAmount(order, decision.amount ?? requested?.amount);
  const refundId = requested?.id ?? newId('rfd');
  if (requested) {
    if (!(await moveRefund(tx, requested, { state: 'approved', at, amount }))) throw refundInProgress();
  } else {
    const draft = { id: refundId, orderId: order.id, amount, reason: decision.reason ?? defaultReason, createdAt: at };
    if (!(await createRefund(tx, { ...draft, state: 'approved' }))) throw refundInProgress();
  }
  await enqueueJob({ orderId: order.id, kind: 'refund', payload: { refundId } }, at, tx);
  return refundId;
}

async function refuseRefund(tx: Tx, requested: RefundRecord | undefined, at: Date): Promise<void> {
  if (requested && (await moveRefund(tx, requested, { state: 'refused', at }))) return;
  throw new ParleyError('conflict', 'No refund was requested for this sale.');
}

/** Returns the amount to refund: `amount`, or the whole remainder. Throws `conflict` if it exceeds the remainder. */
function refundableAmount({ captured, refunded, currency }: OrderRecord, amount: number = captured - refunded): number {
  const left = captured - refunded;
  if (amount > 0 && amount <= left) return amount;
  throw notRefundable({ amount, left, currency });
}

/** Returns the error for a second refund of an order while one is in progress. */
export function refundInProgress(): ParleyError {
  return new ParleyError('conflict', 'A refund of this order is already in progress.');
}
