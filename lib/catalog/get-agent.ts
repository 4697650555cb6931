import type { Ctx } from '../platform/context';
import { findAgent } from './find-agent';
import { requireVisible } from './policy';
import type { AgentSummary } from './schema';
import { toSummary } from './to-wire';

/**
 * One agent, open to everyone unless it is private.
 * @throws {ParleyError} `not_found`; `gone` when it was public once and is withdrawn
 */
export async function getAgent({ ctx, input }: { ctx: Ctx; input: { slug: string } }): Promise<AgentSummary> {
  return toSummary(requireVisible(ctx.actor, await findAgent(input.slug)));
}
