import { teamChanged } from '../../observability';
import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { findAgent } from '../find-agent';
import { requireRole, requireUser } from '../policy';
import type { AgentRecord } from '../record';
import type { OwnsApp } from '../register-agent';
import type { MemberRole } from '../schema';
import { deleteMember, type MemberRecord, selectMembers, updateMember } from '../store/team';

/**
 * Gives a member of the team of one's own agent another role. As a viewer they run it no more, nor does their developer app.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` also for foreign agents and unknown members,
 *   `gone`, `forbidden`
 */
export async function changeMember({
  ctx,
  input,
  ownsApp,
}: {
  ctx: Ctx;
  input: { slug: string; id: string; role: MemberRole };
  ownsApp: OwnsApp;
}): Promise<void> {
  const user = requireUser(ctx.actor, 'agents:write');
  const agent = requireRole(user, await findAgent(input.slug), 'owner');
  const member = await findMember(agent, input.id);
  const audit = teamChanged(ctx, { ...agent, change: 'changed', who: member.userId, role: input.role });
  const isTheirApp = (appId: string) => ownsApp({ userId: member.userId, appId });
  if (!(await updateMember(agent, { id: member.id, role: input.role, isTheirApp, audit }))) throw memberNotFound();
}

/**
 * Takes a member out of a team: the owner anybody, everybody themselves. The agent is no longer that of their developer app.
 * @throws {ParleyError} as {@link changeMember}
 */
export async function removeMember({
  ctx,
  input,
  ownsApp,
}: {
  ctx: Ctx;
  input: { slug: string; id: string };
  ownsApp: OwnsApp;
}): Promise<void> {
  const user = requireUser(ctx.actor, 'agents:write');
  const agent = requireRole(user, await findAgent(input.slug), 'viewer');
  const member = await findMember(agent, input.id);
  if (member.userId !== user.userId) requireRole(user, agent, 'owner');
  const audit = teamChanged(ctx, { ...agent, change: 'left', who: member.userId });
  const isTheirApp = (appId: string) => ownsApp({ userId: member.userId, appId });
  if (!(await deleteMember(agent, { id: member.id, isTheirApp, audit }))) throw memberNotFound();
}

/**
 * A member of an agent's team by the id of the membership.
 * @throws {ParleyError} `not_found`
 */
export async function findMember(agent: Pick<AgentRecord, 'id'>, id: string): Promise<MemberRecord> {
  const member = (await selectMembers(agent.id)).find((one) => one.id === id);
  if (!member) throw memberNotFound();
  return member;
}

export function memberNotFound(): ParleyError {
  return new ParleyError('not_found', 'There is no such person in the team of this agent. They may have left.');
}
