import { findAgentById } from '../catalog';
import type { Ctx } from '../platform/context';
import { requireUser } from './policy';
import type { AgentGrantView } from './schema';
import { listGrantsOf } from './store/grants';
import { toGrantView } from './to-wire';

/** The agents that the person has used or granted something, the latest used first. */
export async function listGrants({ ctx }: { ctx: Ctx }): Promise<AgentGrantView[]> {
  const { userId } = requireUser(ctx.actor, 'session');
  const views: AgentGrantView[] = [];
  for (const grant of await listGrantsOf(userId)) {
    const agent = await findAgentById(grant.agentId);
    if (agent) views.push(toGrantView(grant, agent));
  }
  return views;
}
