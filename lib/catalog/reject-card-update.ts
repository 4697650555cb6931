import { agentChanged } from '../observability';
import type { Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { findAgent } from './find-agent';
import { requireRole, requireUser } from './policy';
import { rejectPendingCard, selectRefreshState } from './store/card-refresh-state';

/**
 * Keeps the listed card: the one that waits is dropped, and does not wait again while the agent serves it.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` also for foreign agents, `gone`, `forbidden` for
 *   viewers; `conflict` when no card waits, or another one than is meant
 */
export async function rejectCardUpdate({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { slug: string; digest: string };
}): Promise<void> {
  const user = requireUser(ctx.actor, 'agents:write');
  const agent = requireRole(user, await findAgent(input.slug), 'developer');
  const pending = (await selectRefreshState(agent.id))?.pending;
  if (pending?.digest !== input.digest) {
    throw new ParleyError('conflict', 'This card does not wait any more. Look at the page again.');
  }
  const audit = agentChanged(ctx, { ...agent, change: 'changed', members: ['card', 'kept'] });
  await rejectPendingCard(agent.id, { ...pending, audit });
}
