import { findAgentById } from '../catalog';
import type { Ctx } from '../platform/context';
import { requireUser } from './policy';
import type { AgentGrantView } from './schema';
import { listGrantsOf } from './store/grants';
import { toGrantView } from './to-wire';

/** The agents that the person has used or granted something, the latest used first. */
export async function listGrants({ ctx }: { ctx: Ctx }): Promise<AgentGrantView[]> {
  const { userId } = requireUser(ctx.actor, 'session');
  const views = (await listGrantsOf(userId)).map(async (grant) => {
    const agent = await findAgentById(grant.agentId);
    return agent ? [toGrantView(grant, agent)] : [];
  });
  return (await Promise.all(views)).flat();
}
