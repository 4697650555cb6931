import { findAgent } from '../../catalog';
import type { Ctx } from '../../platform/context';
import { decodeCursor, pageOf } from '../cursor';
import { requirePayer } from '../policy';
import type { OrderFilter, OrderPage, OrderView } from '../schema';
import { findOrders } from '../store/orders';
import { toOrderViews } from './to-wire';
import { voidEndedOffers } from './void-offers';

const defaultLimit = 30;
const batchSize = 100;
/** Of an agent that nobody knows nobody has bought. */
const unknownAgentId = 'agt_unknown';

/**
 * The person's own orders, newest first.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `invalid_request` for a cursor that is not ours
 */
export async function listOrders({ ctx, input }: { ctx: Ctx; input: OrderFilter }): Promise<OrderPage> {
  const { userId } = requirePayer(ctx.actor);
  const { agent, cursor, limit = defaultLimit } = input;
  const agentId = agent === undefined ? undefined : ((await findAgent(agent))?.id ?? unknownAgentId);
  await voidEndedOffers({ userId }, ctx.now);
  const found = await findOrders(userId, input, { agentId, before: decodeCursor(cursor), limit: limit + 1 });
  const { rows, nextCursor } = pageOf(found, limit);
  return { items: await toOrderViews(rows), nextCursor };
}

/**
 * All of the person's orders that the filter finds, one after the other, so that no list is too long for memory.
 * @throws {ParleyError} as {@link listOrders}
 */
export async function* readOrders({ ctx, input }: { ctx: Ctx; input: OrderFilter }): AsyncGenerator<OrderView> {
  for (let cursor: string | undefined; ; ) {
    const page: OrderPage = await listOrders({ ctx, input: { ...input, cursor, limit: batchSize } });
    yield* page.items;
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}
