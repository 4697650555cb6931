import { findAgent, requireRole } from '../../catalog';
import type { Ctx } from '../../platform/context';
import { requireSeller } from '../policy';
import type { MerchantView } from '../schema';
import { findMerchant } from '../store/merchants';
import { defaultMerchant } from './default-merchant';
import { toMerchantView } from './to-wire';

/**
 * How a person's own agent sells; what holds by itself while nothing is registered.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` also for foreign agents, `gone`
 */
export async function getMerchant({ ctx, input }: { ctx: Ctx; input: { slug: string } }): Promise<MerchantView> {
  const seller = requireSeller(ctx.actor, 'agents:read');
  const agent = requireRole(seller, await findAgent(input.slug), 'owner');
  return toMerchantView((await findMerchant(agent.id)) ?? defaultMerchant(agent, ctx.now), ctx.now);
}
