import { agentChanged } from '../observability';
import type { Ctx } from '../platform/context';
import { requireUser } from './policy';
import { changeAgent, readAgentsOf } from './store/agents';

/**
 * Takes all agents of the person out of Parley, as {@link withdrawAgent} does one; those that are suspended too.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function withdrawAllAgents({ ctx }: { ctx: Ctx }): Promise<void> {
  const user = requireUser(ctx.actor, 'agents:write');
  for await (const agent of readAgentsOf(user.userId)) {
    if (agent.status === 'withdrawn') continue;
    const audit = agentChanged(ctx, { ...agent, change: 'withdrawn' });
    await changeAgent(agent, { status: 'withdrawn', updatedAt: ctx.now }, { audit, force: true });
  }
}
