import { findAgent } from '../catalog';
import { grantSet } from '../observability';
import type { Ctx } from '../platform/context';
import { notFound } from './errors';
import { mayCall, requireUser } from './policy';
import type { SetGrant } from './schema';
import { endDelegations } from './store/delegations';
import { saveGrant } from './store/grants';

/**
 * Sets what the person lets an agent see and do beyond being called: what is not named is taken back, here at once and on
 * other nodes within a second.
 * @throws {ParleyError} `not_found` alike for agents that are unknown, private to another, suspended or withdrawn
 */
export async function setGrant({ ctx, input }: { ctx: Ctx; input: SetGrant & { slug: string } }): Promise<void> {
  const { userId } = requireUser(ctx.actor, 'session');
  const agent = await findAgent(input.slug);
  if (!agent || !mayCall(userId, agent)) throw notFound('agent');
  const grant = { userId, agentId: agent.id, scopes: [...new Set(input.scopes)], now: ctx.now };
  await saveGrant(grant, grantSet(ctx, grant));
  if (!grant.scopes.includes('delegate')) await endDelegations(grant);
}
