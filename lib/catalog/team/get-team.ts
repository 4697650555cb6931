import { findUser } from '../../identity';
import type { Ctx } from '../../platform/context';
import { findAgent } from '../find-agent';
import { requireRole, requireUser, roleOf } from '../policy';
import type { InvitationView, TeamMember, TeamView } from '../schema-team';
import { type InvitationRecord, type MemberRecord, selectInvitations, selectMembers } from '../store/team';

/**
 * Who manages an agent, for those who do; its owner also sees who was invited.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` also for foreign agents, `gone`
 */
export async function getTeam({ ctx, input }: { ctx: Ctx; input: { slug: string } }): Promise<TeamView> {
  const user = requireUser(ctx.actor, 'agents:read');
  const agent = requireRole(user, await findAgent(input.slug), 'viewer');
  const role = roleOf(user, agent) ?? 'viewer';
  const { ownerId: userId, createdAt: since } = agent;
  const people = [{ id: null, userId, role: 'owner' as const, since }, ...(await selectMembers(agent.id))];
  const members = await Promise.all(people.map((person) => toMember(person, user.userId)));
  const invitations = role === 'owner' ? await selectInvitations(agent.id, ctx.now) : [];
  return { role, members, invitations: invitations.map(toInvitationView) };
}

type Person = Omit<MemberRecord, 'id' | 'role'> & Pick<TeamMember, 'id' | 'role'>;

async function toMember({ id, userId, role, since }: Person, asker: string): Promise<TeamMember> {
  const user = await findUser(userId);
  const [name, email] = [user?.name || 'A former member', user?.email ?? ''];
  return { id, name, email, role, since: since.toISOString(), you: userId === asker };
}

export function toInvitationView({ id, email, role, createdAt, expiresAt }: InvitationRecord): InvitationView {
  return { id, email, role, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() };
}
