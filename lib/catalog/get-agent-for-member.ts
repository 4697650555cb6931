import type { Ctx } from '../platform/context';
import { findAgent } from './find-agent';
import { hasRole, requireUser, roleOf } from './policy';
import type { OwnAgent, SkillView } from './schema';
import { skillsOf, toOwnAgent } from './to-wire';

/**
 * One agent that the person manages, also a withdrawn one; null for unknown and foreign agents alike.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function getAgentForMember({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { slug: string };
}): Promise<OwnAgent | null> {
  const user = requireUser(ctx.actor, 'agents:read');
  const agent = await findAgent(input.slug);
  return agent && hasRole(user, agent, 'viewer') ? toOwnAgent(agent, roleOf(user, agent) ?? 'viewer') : null;
}

/**
 * The skills of an agent that the person manages, with their prices; none for unknown and foreign agents.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function listSkillsForMember({ ctx, input }: { ctx: Ctx; input: { slug: string } }): Promise<SkillView[]> {
  const user = requireUser(ctx.actor, 'agents:read');
  const agent = await findAgent(input.slug);
  return agent && hasRole(user, agent, 'viewer') ? skillsOf(agent) : [];
}
