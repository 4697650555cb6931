import { publish } from '../../platform/bus';
import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { inTransaction, type Tx } from '../../platform/tx';
import { refundInProgress, saleNotFound } from '../errors';
import { refundable, requireSeller } from '../policy';
import type { OrderRecord, RefundRecord } from '../record';
import type { RefundDecision, SaleView } from '../schema';
import { enqueueJob } from '../store/outbox';
import { createRefund, findRefunds, moveRefund } from '../store/refunds';
import { findSale } from '../store/sales';
import { toSaleView } from './to-sale';

const defaultReason = 'Given back by the seller.';

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
    if (open?.state === 'approved') throw refundInProgress();
    if (input.give) await grantRefund(tx, order, { requested: open, decision: input, at: ctx.now });
    else await refuseRefund(tx, open, ctx.now);
  });
  await publish('order', order.id);
  return toSaleView(order);
}

interface RefundDecisionContext {
  requested: RefundRecord | undefined;
  decision: RefundDecision;
  at: Date;
}

async function grantRefund(
  tx: Tx,
  order: OrderRecord,
  { requested: asked, decision, at }: RefundDecisionContext,
): Promise<void> {
  const amount = refundable(order, decision.amount ?? asked?.amount);
  const refundId = asked?.id ?? newId('rfd');
  if (asked) {
    if (!(await moveRefund(tx, asked, { state: 'approved', at, amount }))) throw refundInProgress();
  } else {
    const draft = { id: refundId, orderId: order.id, amount, reason: decision.reason ?? defaultReason, createdAt: at };
    if (!(await createRefund(tx, { ...draft, state: 'approved' }))) throw refundInProgress();
  }
  await enqueueJob({ orderId: order.id, kind: 'refund', payload: { refundId } }, at, tx);
}

async function refuseRefund(tx: Tx, requested: RefundRecord | undefined, at: Date): Promise<void> {
  if (requested && (await moveRefund(tx, requested, { state: 'refused', at }))) return;
  throw new ParleyError('conflict', 'Nobody has asked for a refund of this sale.');
}
