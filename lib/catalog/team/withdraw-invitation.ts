import { teamChanged } from '../../observability';
import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { findAgent } from '../find-agent';
import { requireRole, requireUser } from '../policy';
import { deleteInvitation } from '../store/team';

/**
 * Takes an invitation into the team of one's own agent back: its link opens nothing any more.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` also for foreign agents and unknown invitations,
 *   `gone`, `forbidden`
 */
export async function withdrawInvitation({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { slug: string; id: string };
}): Promise<void> {
  const user = requireUser(ctx.actor, 'agents:write');
  const agent = requireRole(user, await findAgent(input.slug), 'owner');
  const audit = teamChanged(ctx, { ...agent, change: 'uninvited', who: input.id.slice(0, 60) });
  if (!(await deleteInvitation({ agentId: agent.id, id: input.id }, audit))) {
    throw new ParleyError('not_found', 'There is no such invitation: it was answered, taken back, or has expired.');
  }
}
