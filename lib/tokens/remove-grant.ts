import { findAgent } from '../catalog';
import { grantRemoved } from '../observability';
import type { Ctx } from '../platform/context';
import { notFound } from './errors';
import { requireUser } from './policy';
import { endDelegations } from './store/delegations';
import { deleteGrant } from './store/grants';

/**
 * Takes back all that the person granted an agent and forgets that they used it; also of one that is no longer there for
 * them.
 * @throws {ParleyError} `not_found`
 */
export async function removeGrant({ ctx, input }: { ctx: Ctx; input: { slug: string } }): Promise<void> {
  const { userId } = requireUser(ctx.actor, 'session');
  const agent = await findAgent(input.slug);
  if (!agent) throw notFound('agent');
  const grant = { userId, agentId: agent.id };
  if (!(await deleteGrant(grant, grantRemoved(ctx, grant)))) throw notFound('agent');
  await endDelegations({ ...grant, now: ctx.now });
}
