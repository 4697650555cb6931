import { findAgent } from '../../catalog';
import type { Ctx } from '../../platform/context';
import { decodeCursor, pageOf } from '../cursor';
import { requireSeller } from '../policy';
import type { SalesFilter, SalesPage, SaleView } from '../schema';
import { findSales, sumSales } from '../store/sales';
import { toSaleViews } from './to-sale';

const defaultLimit = 30;
const batchSize = 100;
/** Of an agent that nobody knows nothing was sold. */
const unknownAgentId = 'agt_unknown';

/**
 * What the person's agents sold, newest first, and what all of it adds up to. It does not tell who bought.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `invalid_request` for a cursor that is not ours
 */
export async function listSales({ ctx, input }: { ctx: Ctx; input: SalesFilter }): Promise<SalesPage> {
  const { userId } = requireSeller(ctx.actor, 'agents:read');
  const { agent, cursor, limit = defaultLimit } = input;
  const agentId = agent === undefined ? undefined : ((await findAgent(agent))?.id ?? unknownAgentId);
  const found = await findSales(userId, input, { agentId, before: decodeCursor(cursor), limit: limit + 1 });
  const { rows, nextCursor } = pageOf(found, limit);
  return { items: await toSaleViews(rows), sums: await sumSales(userId, input, agentId), nextCursor };
}

/**
 * All sales that the filter finds, one after the other, so that no list is too long for memory.
 * @throws {ParleyError} as {@link listSales}
 */
export async function* readSales({ ctx, input }: { ctx: Ctx; input: SalesFilter }): AsyncGenerator<SaleView> {
  for (let cursor: string | undefined; ; ) {
    const page: SalesPage = await listSales({ ctx, input: { ...input, cursor, limit: batchSize } });
    yield* page.items;
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}
