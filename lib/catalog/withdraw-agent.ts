import { agentChanged } from '../observability';
import type { Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { findAgent } from './find-agent';
import { requireRole, requireUser } from './policy';
import { changeAgent } from './store/agents';

/**
 * Takes a person's own agent out of Parley: nobody can see or call it any more, and its slug and address stay its own.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` also for foreign agents, `gone`,
 *   `forbidden` for others of its team, `conflict` while it is suspended: withdrawing and coming back ends no suspension
 */
export async function withdrawAgent({ ctx, input }: { ctx: Ctx; input: { slug: string } }): Promise<void> {
  const user = requireUser(ctx.actor, 'agents:write');
  const agent = requireRole(user, await findAgent(input.slug), 'owner');
  if (agent.status === 'suspended') {
    throw new ParleyError('conflict', 'This agent is suspended. It can be withdrawn when the moderators have decided.');
  }
  const audit = agentChanged(ctx, { ...agent, change: 'withdrawn' });
  await changeAgent(agent, { status: 'withdrawn', updatedAt: ctx.now }, { audit });
}
