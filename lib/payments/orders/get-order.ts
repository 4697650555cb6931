import { publishLocally } from '../../platform/bus';
import type { Ctx } from '../../platform/context';
import { orderNotFound } from '../errors';
import { requirePayer } from '../policy';
import type { OrderDetail } from '../schema';
import { findOrderSteps } from '../store/order-details';
import { findOrder } from '../store/orders';
import { enqueueRetrieval } from '../store/sweeps';
import { toOrderView } from './to-wire';
import { voidEndedOffers } from './void-offers';

/** How often looking at an order may have the card processor asked, milliseconds. */
const recheckIntervalMs = 5_000;

/**
 * The person's order with its history. While it waits for them at the card processor, looking at it has that asked how the
 * payment stands: whoever comes back from its page sees the truth within seconds, also when the notice of it is lost.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `not_found` for unknown and foreign ones alike
 */
export async function getOrder({ ctx, input }: { ctx: Ctx; input: { id: string } }): Promise<OrderDetail> {
  const { userId } = requirePayer(ctx.actor);
  await voidEndedOffers({ userId }, ctx.now);
  const order = await findOrder({ userId }, input.id);
  if (!order) throw orderNotFound();
  if (order.state === 'action_required') {
    const { id } = order;
    if (await enqueueRetrieval({ orderId: id }, new Date(ctx.now.getTime() - recheckIntervalMs), ctx.now))
      publishLocally('order', id);
  }
  return { order: await toOrderView(order), steps: await findOrderSteps(order.id) };
}
