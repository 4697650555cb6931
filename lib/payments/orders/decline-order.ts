import { appendAudit, paymentDecided } from '../../observability';
import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { inTransaction } from '../../platform/tx';
import { orderNotFound } from '../errors';
import { requirePayer } from '../policy';
import type { OrderView } from '../schema';
import { moveOrder } from '../store/move-order';
import { findOrder } from '../store/orders';
import { closedReason } from './load-open-order';
import { toOrderView } from './to-wire';
import { voidEndedOffers } from './void-offers';

/**
 * Declines an offer and has the agent told on the task, if it still waits there. Declining again changes nothing.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `not_found` also for those of others; `conflict` with the
 *   reason once it was approved or ended in another way
 */
export async function declineOrder({ ctx, input }: { ctx: Ctx; input: { id: string } }): Promise<OrderView> {
  const person = requirePayer(ctx.actor);
  await voidEndedOffers({ userId: person.userId }, ctx.now);
  const order = await findOrder(person, input.id);
  if (!order) throw orderNotFound();
  const { id, state: from, version, code } = order;
  if (from === 'canceled' && code === 'declined_by_buyer') return toOrderView(order);
  const isOpen = from === 'verified' || from === 'awaiting_approval';
  const moved =
    isOpen &&
    (await inTransaction(async (tx) => {
      const payload = { event: 'declined', credentialId: person.credential.id };
      const outbox = [{ kind: 'announce' as const, dueAt: ctx.now, payload }];
      const step = { id, from, version, to: 'canceled', code: 'declined_by_buyer', at: ctx.now, outbox } as const;
      if (!(await moveOrder(tx, step))) return false;
      await appendAudit(tx, paymentDecided(ctx, { userId: person.userId, id, decision: 'declined' }));
      return true;
    }));
  const now = await findOrder(person, id);
  if (!moved || !now) {
    throw new ParleyError('conflict', closedReason(now ?? order), {
      data: { state: now?.state ?? from, check: now?.code ?? code },
    });
  }
  return toOrderView(now);
}
