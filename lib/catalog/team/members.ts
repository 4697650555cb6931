import { authorize, findUser, requireFreshAuth } from '../../identity';
import { agentTransferred, teamChanged } from '../../observability';
import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { findAgent } from '../agents/find-agent';
import type { OwnsApp } from '../agents/register-agent';
import { requireRole, roleOf } from '../authorization';
import { slugOf } from '../names/folded-text';
import type { AgentRecord } from '../record';
import type { MemberRole } from '../schema';
import type { TeamMember, TeamView } from '../schema-team';
import { ensurePublisher } from '../store/publisher-rows';
import {
  deleteMember,
  type MemberRecord,
  selectInvitations,
  selectMembers,
  selectMemberships,
  transferOwnership,
  updateMember,
} from '../store/team';
import { toInvitationView } from './invitations';

/**
 * Returns the team of an agent, for its members. Its owner also receives the pending invitations.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` (also for other teams' agents), `gone`
 */
export async function getTeam({ ctx, input }: { ctx: Ctx; input: { slug: string } }): Promise<TeamView> {
  const user = authorize(ctx.actor, { scope: 'agents:read' });
  const agent = requireRole(user, await findAgent(input.slug), 'viewer');
  const role = roleOf(user, agent) ?? 'viewer';
  const { ownerId: userId, createdAt: since } = agent;
  const people = [{ id: null, userId, role: 'owner' as const, since }, ...(await selectMembers(agent.id))];
  const members = await Promise.all(people.map((person) => toMember(person, user.userId)));
  const invitations = role === 'owner' ? await selectInvitations(agent.id, ctx.now) : [];
  return { role, members, invitations: invitations.map(toInvitationView) };
}

type Person = Omit<MemberRecord, 'id' | 'role'> & Pick<TeamMember, 'id' | 'role'>;

async function toMember({ id, userId, role, since }: Person, callerId: string): Promise<TeamMember> {
  const user = await findUser(userId);
  const [name, email] = [user?.name || 'A former member', user?.email ?? ''];
  return { id, name, email, role, since: since.toISOString(), you: userId === callerId };
}

/**
 * Lists the user's memberships in teams of other owners' agents.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function listMemberships({ ctx }: { ctx: Ctx }): ReturnType<typeof selectMemberships> {
  return selectMemberships(authorize(ctx.actor, { scope: 'agents:read' }).userId);
}

/**
 * Changes the role of a member of an agent that the user owns. If the member becomes a viewer, their developer app is
 * unlinked from the agent.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` (also for other teams' agents and unknown
 *   members), `gone`, `forbidden`
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
  const user = authorize(ctx.actor, { scope: 'agents:write' });
  const agent = requireRole(user, await findAgent(input.slug), 'owner');
  const member = await findMember(agent, input.id);
  const audit = teamChanged(ctx, { ...agent, change: 'changed', who: member.userId, role: input.role });
  const isTheirApp = (appId: string) => ownsApp({ userId: member.userId, appId });
  if (!(await updateMember(agent, { id: member.id, role: input.role, isTheirApp, audit }))) throw memberNotFound();
}

/**
 * Removes a member from a team. The owner may remove anyone, a member only themselves. The member's developer app is
 * unlinked from the agent.
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
  const user = authorize(ctx.actor, { scope: 'agents:write' });
  const agent = requireRole(user, await findAgent(input.slug), 'viewer');
  const member = await findMember(agent, input.id);
  if (member.userId !== user.userId) requireRole(user, agent, 'owner');
  const audit = teamChanged(ctx, { ...agent, change: 'left', who: member.userId });
  const isTheirApp = (appId: string) => ownsApp({ userId: member.userId, appId });
  if (!(await deleteMember(agent, { id: member.id, isTheirApp, audit }))) throw memberNotFound();
}

/** Checks whether an agent has ever sold anything. Passed as a parameter, because payments are a higher domain. */
type HasSold = (agentId: string) => Promise<boolean>;

/**
 * Makes a member the owner of the agent and the previous owner a developer. Unlinks the developer app; `sub` changes
 * for all callers. An agent that has sold anything cannot be transferred, because earnings and refunds belong to the
 * seller.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found` (also for other teams' agents and unknown members),
 *   `gone`; `sign_in_again`; `conflict` for an agent that has sold
 */
export async function transferAgent({
  ctx,
  input,
  hasSold,
}: {
  ctx: Ctx;
  input: { slug: string; memberId: string };
  hasSold: HasSold;
}): Promise<void> {
  const user = authorize(ctx.actor, { scope: 'agents:write' });
  const agent = requireRole(user, await findAgent(input.slug), 'owner');
  await requireFreshAuth({ ctx });
  const member = await findMember(agent, input.memberId);
  if (await hasSold(agent.id)) {
    const message =
      'This agent has sales, and its earnings and refunds belong to your account. List the agent again from the other account.';
    throw new ParleyError('conflict', message);
  }
  const newMember = { id: newId('mem'), userId: user.userId, role: 'developer' as const, since: ctx.now };
  const audit = agentTransferred(ctx, { id: agent.id, from: user.userId, to: member.userId });
  if (!(await transferOwnership(agent, { member, newMember, audit }))) throw memberNotFound();
  const name = (await findUser(member.userId))?.name ?? '';
  await ensurePublisher(member.userId, slugOf(name), ctx.now);
}

/**
 * Finds a member of the agent's team.
 * @throws {ParleyError} `not_found`
 */
async function findMember(agent: Pick<AgentRecord, 'id'>, id: string): Promise<MemberRecord> {
  const member = (await selectMembers(agent.id)).find((candidate) => candidate.id === id);
  if (!member) throw memberNotFound();
  return member;
}

function memberNotFound(): ParleyError {
  return new ParleyError('not_found', 'Member not found. They may have left the team of this agent.');
}
