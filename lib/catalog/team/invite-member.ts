import { findUser, sendMail } from '../../identity';
import { consume, type TokenBucketRule } from '../../limits';
import { teamChanged } from '../../observability';
import type { Ctx } from '../../platform/context';
import { newSecret, sha256 } from '../../platform/crypto';
import { env } from '../../platform/env';
import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { findAgent } from '../find-agent';
import { requireRole, requireUser } from '../policy';
import type { InvitationInput, InvitationView } from '../schema-team';
import { type InvitationRecord, selectInvitations, selectMembers, upsertInvitation } from '../store/team';
import { toInvitationView } from './get-team';

/** Each sends a mail to an address that somebody else chose. */
const INVITATION_LIMIT: TokenBucketRule = { name: 'invitations', burst: 20, perMinute: 0.5, onDatabaseDown: 'refuse' };
const lifetimeDays = 7;
/** Members and invitations of one agent. */
const maxTeamSize = 50;

/**
 * Invites a person by e-mail into the team of an agent of which one is the owner; a second invitation of the same address takes
 * the place of the first. `url` is the link of the mail, for an owner who hands it over themselves; it opens only for an account
 * with that address.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` also for foreign agents, `gone`, `forbidden` for
 *   other roles, `conflict` for somebody who is in the team or when it is full, `rate_limited`, `unavailable` without mail
 */
export async function inviteMember({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: InvitationInput & { slug: string };
}): Promise<InvitationView & { url: string }> {
  const user = requireUser(ctx.actor, 'agents:write');
  const agent = requireRole(user, await findAgent(input.slug), 'owner');
  const { email, role } = input;
  await assertTeamHasRoom(agent, email, ctx.now);
  await consume(INVITATION_LIMIT, user.userId, ctx.now);
  const token = newSecret('');
  const expiresAt = new Date(ctx.now.getTime() + lifetimeDays * 86_400_000);
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
  await sendMail(
    { to: email, subject: 'You are invited to help run an agent on Parley', lines: linesOf(agent, url) },
    ctx.now,
  );
  return { ...toInvitationView(invitation), url };
}

async function assertTeamHasRoom(agent: { id: string; ownerId: string }, email: string, now: Date): Promise<void> {
  const members = await selectMembers(agent.id);
  const people = await Promise.all([agent.ownerId, ...members.map(({ userId }) => userId)].map(findUser));
  if (people.some((person) => person?.email === email)) {
    throw new ParleyError('conflict', `${email} is in the team of this agent already.`);
  }
  const invited = (await selectInvitations(agent.id, now)).filter((open) => open.email !== email);
  if (members.length + invited.length >= maxTeamSize) {
    throw new ParleyError('conflict', `A team has at most ${maxTeamSize} people. Remove somebody first.`);
  }
}

// No words of the inviter or of the card: anybody could send anything to anybody through us.
function linesOf(agent: { slug: string }, url: string): string[] {
  return [
    `The owner of the agent "${agent.slug}" on Parley invites you into its team.`,
    '',
    'Look at the invitation, and accept or decline it:',
    '',
    url,
    '',
    `It is open for ${lifetimeDays} days, for an account with this e-mail address. If you do`,
    'not know what this is about, do nothing.',
  ];
}
