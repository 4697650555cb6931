import { agentChanged } from '../observability';
import type { Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { findAgent } from './find-agent';
import { requirePerson, requireRole } from './policy';
import { keepListed, selectWatch } from './store/card-watch';

/**
 * Keeps the listed card: the one that waits is dropped, and does not wait again while the agent serves it.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` also for foreign agents, `gone`, `forbidden` for
 *   viewers; `conflict` when no card waits, or another one than is meant
 */
export async function keepCard({ ctx, input }: { ctx: Ctx; input: { slug: string; digest: string } }): Promise<void> {
  const user = requirePerson(ctx.actor, 'agents:write');
  const agent = requireRole(user, await findAgent(input.slug), 'developer');
  const waiting = (await selectWatch(agent.id))?.waiting;
  if (waiting?.digest !== input.digest) {
    throw new ParleyError('conflict', 'This card does not wait any more. Look at the page again.');
  }
  const audit = agentChanged(ctx, { ...agent, change: 'changed', members: ['card', 'kept'] });
  await keepListed(agent.id, { ...waiting, audit });
}
