import { agentChanged } from '../observability';
import type { Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { findAgent } from './find-agent';
import { requireMember, requireUser } from './policy';
import type { AgentView } from './schema';
import { changeAgent } from './store/agents';
import { toView } from './to-wire';

/**
 * Brings a withdrawn agent of one's own back as it was: with its name, card and settings.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` also for foreign agents, `forbidden` for others of
 *   its team; `conflict` when it is not withdrawn, any more
 */
export async function restoreWithdrawnAgent({ ctx, input }: { ctx: Ctx; input: { slug: string } }): Promise<AgentView> {
  const user = requireUser(ctx.actor, 'agents:write');
  const agent = requireMember(user, await findAgent(input.slug), 'owner');
  if (agent.status !== 'withdrawn') throw new ParleyError('conflict', 'This agent is not withdrawn.');
  const audit = agentChanged(ctx, { ...agent, change: 'listed' });
  return toView(await changeAgent(agent, { status: 'active', updatedAt: ctx.now }, { audit }), null);
}
