import type { Ctx } from '../../platform/context';
import { newId } from '../../platform/ids';
import { inTransaction } from '../../platform/tx';
import { orderNotFound, refundInProgress } from '../errors';
import { refundable, requirePayer } from '../policy';
import type { OrderView, RefundRequest } from '../schema';
import { findOrder } from '../store/orders';
import { createRefund } from '../store/refunds';
import { toOrderView } from './to-wire';

/**
 * Asks the seller for money back: all that was paid, or a part. The seller decides.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `not_found` for unknown and foreign orders alike;
 *   `conflict` when there is nothing (so much) to give back, or it was asked already
 */
export async function requestRefund({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: RefundRequest & { id: string };
}): Promise<OrderView> {
  const { userId } = requirePayer(ctx.actor);
  const order = await findOrder({ userId }, input.id);
  if (!order) throw orderNotFound();
  const amount = refundable(order, input.amount);
  const draft = { id: newId('rfd'), orderId: order.id, amount, reason: input.reason, createdAt: ctx.now };
  await inTransaction(async (tx) => {
    if (!(await createRefund(tx, { ...draft, state: 'requested' }))) throw refundInProgress();
  });
  return toOrderView(order);
}
