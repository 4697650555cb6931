import { authorize, findUser, selectLocaleOf, sendMail } from '../../identity';
import { consume } from '../../limits';
import { teamChanged } from '../../observability';
import type { Ctx, UserActor } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { env } from '../../platform/runtime/env';
import { newSecret, sha256 } from '../../platform/secrets/crypto';
import { DAY_MS } from '../../platform/time';
import { translationFor } from '../../texts/sent-texts';
import { findAgent, findAgentById } from '../agents/find-agent';
import { requireRole } from '../authorization';
import { INVITATION_DAYS, MAX_ID_LENGTH, MAX_TEAM_SIZE } from '../limits';
import { INVITATION_LIMIT } from '../rate-limits';
import type { AgentRecord } from '../record';
import type { InvitationInput, InvitationOffer, InvitationView, NewInvitation } from '../schema-team';
import {
  deleteInvitation,
  type InvitationRecord,
  insertMember,
  selectInvitation,
  selectInvitations,
  selectMembers,
  upsertInvitation,
} from '../store/team';

/**
 * Invites a user by email to the team of an agent that the caller owns. A second invitation for the same address
 * replaces the first. `url` is the link in the email, which is valid only for an account with that address.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` (also for other teams' agents), `gone`,
 *   `forbidden` for other roles, `conflict` for a member or a full team, `rate_limited`, `unavailable` without email
 */
export async function inviteMember({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: InvitationInput & { slug: string };
}): Promise<NewInvitation> {
  const user = authorize(ctx.actor, { scope: 'agents:write' });
  const agent = requireRole(user, await findAgent(input.slug), 'owner');
  const { email, role } = input;
  await assertTeamHasRoom(agent, email, ctx.now);
  await consume(INVITATION_LIMIT, user.userId, ctx.now);
  const token = newSecret('');
  const expiresAt = new Date(ctx.now.getTime() + INVITATION_DAYS * DAY_MS);
  const invitation: InvitationRecord = {
    id: newId('inv'),
    agentId: agent.id,
    email,
    role,
    createdAt: ctx.now,
    expiresAt,
  };
  const audit = teamChanged(ctx, { ...agent, change: 'invited', who: invitation.id, role });
  await upsertInvitation({ ...invitation, tokenHash: sha256(token) }, audit);
  const url = `${env().APP_URL}/console/invitations/${token}`;
  // The language of the addressee if they have an account, otherwise that of the inviter.
  const known = await selectLocaleOf(email);
  const { locale, mail } = translationFor(
    known === undefined ? ((await findUser(user.userId))?.locale ?? null) : known,
  );
  // Contains no text from the inviter or the card, so that Parley cannot be used to send other people's texts.
  const text = mail('invitation', { slug: agent.slug, link: url, days: INVITATION_DAYS });
  await sendMail({ ...text, to: email, locale }, ctx.now);
  return { ...toInvitationView(invitation), url };
}

async function assertTeamHasRoom(agent: { id: string; ownerId: string }, email: string, now: Date): Promise<void> {
  const members = await selectMembers(agent.id);
  const users = await Promise.all([agent.ownerId, ...members.map(({ userId }) => userId)].map(findUser));
  if (users.some((user) => user?.email === email)) {
    throw new ParleyError('conflict', `${email} is already on the team of this agent.`);
  }
  const pending = (await selectInvitations(agent.id, now)).filter((invitation) => invitation.email !== email);
  if (members.length + pending.length >= MAX_TEAM_SIZE) {
    throw new ParleyError('conflict', `A team has at most ${MAX_TEAM_SIZE} people. Remove a member first.`);
  }
}

/**
 * Revokes an invitation to the team of an agent that the caller owns.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` (also for other teams' agents and unknown
 *   invitations), `gone`, `forbidden`
 */
export async function withdrawInvitation({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { slug: string; id: string };
}): Promise<void> {
  const user = authorize(ctx.actor, { scope: 'agents:write' });
  const agent = requireRole(user, await findAgent(input.slug), 'owner');
  const audit = teamChanged(ctx, { ...agent, change: 'uninvited', who: input.id.slice(0, MAX_ID_LENGTH) });
  if (!(await deleteInvitation({ agentId: agent.id, id: input.id }, audit))) {
    throw new ParleyError('not_found', 'Invitation not found. It was answered or revoked, or it has expired.');
  }
}

interface InvitationCall {
  ctx: Ctx;
  /** The token of the link. */
  input: { token: string };
}

/**
 * Returns the invitation with the fields for its addressee.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `not_found` if it was answered, was revoked or has
 *   expired; `forbidden` for an account with another address
 */
export async function getInvitation({ ctx, input }: InvitationCall): Promise<InvitationOffer> {
  const { invitation, agent } = await loadInvitation(
    authorize(ctx.actor, { scope: 'agents:read' }),
    input.token,
    ctx.now,
  );
  const { role, email, expiresAt } = invitation;
  const owner = await findUser(agent.ownerId);
  return {
    agent: { slug: agent.slug, name: agent.name },
    role,
    email,
    invitedBy: owner?.name || 'A former member',
    expiresAt: expiresAt.toISOString(),
  };
}

/**
 * Accepts an invitation to an agent's team.
 * @throws {ParleyError} as {@link getInvitation}
 */
export async function acceptInvitation({ ctx, input }: InvitationCall): Promise<{ slug: string }> {
  const user = authorize(ctx.actor, { scope: 'agents:write' });
  const { invitation, agent } = await loadInvitation(user, input.token, ctx.now);
  const member = { id: newId('mem'), userId: user.userId, role: invitation.role, since: ctx.now };
  const audit = teamChanged(ctx, { ...agent, change: 'joined', who: user.userId, role: invitation.role });
  if (!(await insertMember(agent, { invitationId: invitation.id, member, audit }))) throw invitationNotFound();
  return { slug: agent.slug };
}

/**
 * Declines an invitation and invalidates its link.
 * @throws {ParleyError} as {@link getInvitation}
 */
export async function declineInvitation({ ctx, input }: InvitationCall): Promise<void> {
  const { invitation, agent } = await loadInvitation(
    authorize(ctx.actor, { scope: 'agents:write' }),
    input.token,
    ctx.now,
  );
  const audit = teamChanged(ctx, { ...agent, change: 'uninvited', who: invitation.id });
  await deleteInvitation(invitation, audit);
}

async function loadInvitation(
  user: UserActor,
  token: string,
  now: Date,
): Promise<{ invitation: InvitationRecord; agent: AgentRecord }> {
  const invitation = await selectInvitation(sha256(token), now);
  const agent = invitation && (await findAgentById(invitation.agentId));
  if (!agent || agent.status === 'withdrawn' || agent.ownerId === user.userId) throw invitationNotFound();
  if (invitation.email !== user.email.toLowerCase()) {
    const text = `This invitation is for ${invitation.email}. Sign in with the account that uses this email to answer it.`;
    throw new ParleyError('forbidden', text);
  }
  return { invitation, agent };
}

function invitationNotFound(): ParleyError {
  return new ParleyError(
    'not_found',
    'This invitation is no longer valid. It was answered or revoked, or it has expired. Ask the owner of the agent for a new one.',
  );
}

/** Returns an invitation with the fields for the agent's owner. */
export function toInvitationView({ id, email, role, createdAt, expiresAt }: InvitationRecord): InvitationView {
  return { id, email, role, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() };
}
