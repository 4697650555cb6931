import { authorize } from '../../identity';
import { publish } from '../../platform/bus';
import type { Call } from '../../platform/context';
import { inTransaction } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import { failpoint } from '../../platform/runtime/failpoint';
import { refundCharge } from '../refunds/charge-refunds';
import { grantRefund, refundInProgress } from '../refunds/order-refunds';
import { requireUndisputed } from '../refunds/refund-rules';
import type { Earning, SaleRefund } from '../schema-income';
import { findEarning } from '../store/earnings/earning-rows';
import { findRefunds } from '../store/order-details';
import { findOrderById } from '../store/orders';
import { findCapturedCharge } from '../store/plans/task-charges';
import { toEarning } from './read-income';
import { emailChargeRefund } from './refund-mail';

/**
 * Refunds a sale of either kind on behalf of its seller, as the buyer paid it. A charge is refunded when the function
 * returns, an order soon after.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `not_found` (also for other sellers' sales); `conflict`
 *   if the amount is not refundable, the sale is disputed, a refund is in progress, or the refunded amount has changed
 */
export async function refundSale({ ctx, input }: Call<SaleRefund & { id: string }>): Promise<Earning> {
  const { userId } = authorize(ctx.actor, { scope: 'agents:write' });
  const found = /^ern_[0-9a-z]{1,30}$/.test(input.id) ? await findEarning(userId, input.id) : null;
  if (!found) throw new ParleyError('not_found', 'Sale not found.');
  const { saleKind, saleId } = found;
  const buyerId = saleKind === 'charge' ? (await findCapturedCharge(saleId))?.userId : undefined;
  await inTransaction(async (tx) => {
    const earning = (await requireUndisputed(tx, saleKind, saleId)) ?? found;
    if (earning.refunded !== input.refunded) throw refundsChanged(earning.refunded);
    if (buyerId !== undefined) return refundCharge(tx, earning, { ...input, buyerId, at: ctx.now });
    const order = await findOrderById(saleId, tx);
    if (!order) throw new ParleyError('not_found', 'Sale not found.');
    const refunds = await findRefunds([saleId], tx);
    if (refunds.some(({ state }) => state === 'approved')) throw refundInProgress();
    const requested = refunds.find(({ state }) => state === 'requested');
    return grantRefund(tx, order, { requested, decision: input, at: ctx.now });
  });
  failpoint('sale.refunded');
  const after = (await findEarning(userId, input.id)) ?? found;
  if (buyerId === undefined) await publish('order', saleId);
  else await emailChargeRefund(after, { buyerId, amount: after.refunded - input.refunded, at: ctx.now });
  return toEarning(after, ctx.now);
}

function refundsChanged(refunded: number): ParleyError {
  const text = `Another refund was made meanwhile: ${refunded} minor units are refunded now. Look at the sale again.`;
  return new ParleyError('conflict', text, { data: { refunded } });
}
