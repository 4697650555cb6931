import { findUser } from '../../identity';
import { teamChanged } from '../../observability';
import type { Ctx, UserActor } from '../../platform/context';
import { sha256 } from '../../platform/crypto';
import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { findAgentById } from '../find-agent';
import { requireUser } from '../policy';
import type { AgentRecord } from '../record';
import type { InvitationOffer } from '../schema-team';
import { deleteInvitation, type InvitationRecord, insertMember, selectInvitation } from '../store/team';

interface InvitationCall {
  ctx: Ctx;
  /** What stands in the link. */
  input: { token: string };
}

/**
 * What an invitation says, to the person whom it is for.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `not_found` when it was answered, taken back or has expired;
 *   `forbidden` for an account with another address
 */
export async function getInvitation({ ctx, input }: InvitationCall): Promise<InvitationOffer> {
  const { invitation, agent } = await loadInvitation(requireUser(ctx.actor, 'agents:read'), input.token, ctx.now);
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
 * Joins the team that one was invited to; answers the agent.
 * @throws {ParleyError} as {@link getInvitation}
 */
export async function acceptInvitation({ ctx, input }: InvitationCall): Promise<{ slug: string }> {
  const user = requireUser(ctx.actor, 'agents:write');
  const { invitation, agent } = await loadInvitation(user, input.token, ctx.now);
  const member = { id: newId('mem'), userId: user.userId, role: invitation.role, since: ctx.now };
  const audit = teamChanged(ctx, { ...agent, change: 'joined', who: user.userId, role: invitation.role });
  if (!(await insertMember(agent, { invitationId: invitation.id, member, audit }))) throw invitationNotFound();
  return { slug: agent.slug };
}

/**
 * Turns an invitation down; its link opens nothing any more.
 * @throws {ParleyError} as {@link getInvitation}
 */
export async function declineInvitation({ ctx, input }: InvitationCall): Promise<void> {
  const { invitation, agent } = await loadInvitation(requireUser(ctx.actor, 'agents:write'), input.token, ctx.now);
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
    const text = `This invitation is for ${invitation.email}. Sign in with an account of that address to answer it.`;
    throw new ParleyError('forbidden', text);
  }
  return { invitation, agent };
}

function invitationNotFound(): ParleyError {
  return new ParleyError(
    'not_found',
    'This invitation is over: it was answered, taken back, or has expired. Ask the owner of the agent for a new one.',
  );
}
