import { findUser, requireFreshAuth } from '../../identity';
import { agentTransferred } from '../../observability';
import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { findAgent } from '../find-agent';
import { requireRole, requireUser } from '../policy';
import { slugOf } from '../slug';
import { ensurePublisher } from '../store/publishers';
import { transferOwnership } from '../store/team';
import { findMember, memberNotFound } from './change-member';

/** Tells whether an agent ever sold anything; passed in by the endpoint, because payments live above the catalogue. */
export type HasSold = (agentId: string) => Promise<boolean>;

/**
 * Makes a member of the team the owner of the agent; who was that stays as a developer. The developer app stays with its
 * owner, so the agent needs another one before it can ask whose a token is, and all callers are new to it (`sub` is per owner).
 * An agent that has sold stays with who sold: earnings, refunds and proofs are theirs.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found` also for foreign agents and unknown members, `gone`;
 *   `sign_in_again`; `conflict` for an agent that has sold
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
  const user = requireUser(ctx.actor, 'agents:write');
  const agent = requireRole(user, await findAgent(input.slug), 'owner');
  await requireFreshAuth({ ctx });
  const member = await findMember(agent, input.memberId);
  if (await hasSold(agent.id)) {
    const message =
      'This agent has sold, and its earnings and refunds stay with you. List it anew from the other account.';
    throw new ParleyError('conflict', message);
  }
  const newMember = { id: newId('mem'), userId: user.userId, role: 'developer' as const, since: ctx.now };
  const audit = agentTransferred(ctx, { id: agent.id, from: user.userId, to: member.userId });
  if (!(await transferOwnership(agent, { member, newMember, audit }))) throw memberNotFound();
  const name = (await findUser(member.userId))?.name ?? '';
  await ensurePublisher(member.userId, slugOf(name), ctx.now);
}
