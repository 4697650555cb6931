import { findAgentById } from '../catalog';
import type { Ctx } from '../platform/context';
import { requireUser } from './policy';
import type { AgentGrantView } from './schema';
import { type AgentGrantRecord, listGrantsOf, streamGrantsOf } from './store/grants';
import { toGrantView } from './to-wire';

/** The agents that the person has used or granted something: the 200 used last, the latest first. */
export async function listGrants({ ctx }: { ctx: Ctx }): Promise<AgentGrantView[]> {
  const { userId } = requireUser(ctx.actor, 'session');
  return (await Promise.all((await listGrantsOf(userId)).map(viewsOf))).flat();
}

/** Every agent that the person has used or granted something, one after the other. */
export async function* streamGrants({ ctx }: { ctx: Ctx }): AsyncGenerator<AgentGrantView> {
  const { userId } = requireUser(ctx.actor, 'session');
  for await (const grant of streamGrantsOf(userId)) yield* await viewsOf(grant);
}

async function viewsOf(grant: AgentGrantRecord): Promise<AgentGrantView[]> {
  const agent = await findAgentById(grant.agentId);
  return agent ? [toGrantView(grant, agent)] : [];
}
