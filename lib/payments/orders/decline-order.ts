import { authorize } from '../../identity';
import { appendAudit, paymentDecided } from '../../observability';
import type { Ctx } from '../../platform/context';
import { inTransaction } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import type { OrderView } from '../schema';
import { moveOrder } from '../store/move-order';
import { findOrder } from '../store/orders';
import { closedReason } from './load-open-order';
import { toOrderView } from './order-view';
import { loadOwnOrder } from './read-orders';

/**
 * Declines an offer and notifies the agent on the task, if the task is open. Declining twice has no further effect.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `not_found` also for other users' orders; `conflict`
 *   with the reason when the order was approved or has ended otherwise
 */
export async function declineOrder({ ctx, input }: { ctx: Ctx; input: { id: string } }): Promise<OrderView> {
  const { userId, credential } = authorize(ctx.actor, { scope: 'pay' });
  const order = await loadOwnOrder(ctx, input.id);
  const { id, state: from, version, code } = order;
  if (from === 'canceled' && code === 'declined_by_buyer') return toOrderView(order);
  const isOpen = from === 'verified' || from === 'awaiting_approval';
  const moved =
    isOpen &&
    (await inTransaction(async (tx) => {
      const payload = { event: 'declined', credentialId: credential.id };
      const outbox = [{ kind: 'announce' as const, dueAt: ctx.now, payload }];
      const step = { id, from, version, to: 'canceled', code: 'declined_by_buyer', at: ctx.now, outbox } as const;
      if (!(await moveOrder(tx, step))) return false;
      await appendAudit(tx, paymentDecided(ctx, { userId, id, decision: 'declined' }));
      return true;
    }));
  const latest = await findOrder({ userId }, id);
  if (!moved || !latest) {
    throw new ParleyError('conflict', closedReason(latest ?? order), {
      data: { state: latest?.state ?? from, check: latest?.code ?? code },
    });
  }
  return toOrderView(latest);
}
