import { appendAudit, paymentDecided } from '../observability';
import type { Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { inTransaction } from '../platform/tx';
import { orderNotFound } from './errors';
import { requirePayer } from './policy';
import type { OrderView } from './schema';
import { moveOrder } from './store/move-order';
import { findOrder } from './store/orders';
import { toOrderView } from './to-wire';

/**
 * Declines an offer; declined again it stays so.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `not_found` also for those of others; `conflict` once it was
 *   approved or is over
 */
export async function declineOrder({ ctx, input }: { ctx: Ctx; input: { id: string } }): Promise<OrderView> {
  const person = requirePayer(ctx.actor);
  const order = await findOrder(person, input.id);
  if (!order) throw orderNotFound();
  const { id, state: from, version, code } = order;
  if (from === 'canceled' && code === 'declined_by_buyer') return toOrderView(order);
  const isOpen = from === 'verified' || from === 'awaiting_approval';
  const moved =
    isOpen &&
    (await inTransaction(async (tx) => {
      if (!(await moveOrder(tx, { id, from, version, to: 'canceled', code: 'declined_by_buyer', at: ctx.now })))
        return false;
      await appendAudit(tx, paymentDecided(ctx, { userId: person.userId, id, decision: 'declined' }));
      return true;
    }));
  const now = await findOrder(person, id);
  if (!moved || !now) {
    throw new ParleyError('conflict', 'This order cannot be declined any more.', {
      data: { state: now?.state ?? from },
    });
  }
  return toOrderView(now);
}
