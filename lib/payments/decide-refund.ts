import { publish } from '../platform/bus';
import type { Ctx } from '../platform/context';

import { ParleyError } from '../platform/errors';
import { newId } from '../platform/ids';
import { inTransaction, type Tx } from '../platform/tx';
import { refundOpen, saleNotFound } from './errors';
import { refundable, requireSeller } from './policy';
import type { OrderRecord, RefundRecord } from './record';
import type { RefundDecision, SaleView } from './schema';
import { enqueue } from './store/outbox';
import { createRefund, findRefunds, moveRefund } from './store/refunds';
import { findSale } from './store/sales';
import { toSaleView } from './to-sale';

const unasked = 'Given back by the seller.';

/**
 * The seller gives money back, of their own accord or because the buyer asked, or says no to what was asked. What is given
 * is on its way when this answers.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `not_found` for unknown and foreign sales alike;
 *   `conflict` when there is nothing (so much) to give back, nothing was asked that could be refused, or it is under way
 */
export async function decideRefund({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: RefundDecision & { id: string };
}): Promise<SaleView> {
  const { userId } = requireSeller(ctx.actor, 'agents:write');
  const order = await findSale({ sellerId: userId }, input.id);
  if (!order) throw saleNotFound();
  await inTransaction(async (tx) => {
    const open = (await findRefunds([order.id], tx)).find(({ state }) => state === 'requested' || state === 'approved');
    if (open?.state === 'approved') throw refundOpen();
    if (input.give) await give(tx, order, { asked: open, decision: input, at: ctx.now });
    else await refuse(tx, open, ctx.now);
  });
  await publish('order', order.id);
  return toSaleView(order);
}

interface Decided {
  asked: RefundRecord | undefined;
  decision: RefundDecision;
  at: Date;
}

async function give(tx: Tx, order: OrderRecord, { asked, decision, at }: Decided): Promise<void> {
  const amount = refundable(order, decision.amount ?? asked?.amount);
  const refundId = asked?.id ?? newId('rfd');
  if (asked) {
    if (!(await moveRefund(tx, asked, { state: 'approved', at, amount }))) throw refundOpen();
  } else {
    const draft = { id: refundId, orderId: order.id, amount, reason: decision.reason ?? unasked, createdAt: at };
    if (!(await createRefund(tx, { ...draft, state: 'approved' }))) throw refundOpen();
  }
  await enqueue({ orderId: order.id, kind: 'refund', payload: { refundId } }, at, tx);
}

async function refuse(tx: Tx, asked: RefundRecord | undefined, at: Date): Promise<void> {
  if (asked && (await moveRefund(tx, asked, { state: 'refused', at }))) return;
  throw new ParleyError('conflict', 'Nobody has asked for a refund of this sale.');
}
