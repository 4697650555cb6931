import { findAgent, requireVisible } from '../../catalog';
import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { addToCollection, removeFromCollection } from '../store/collections';
import { MAX_COLLECTED, requireKept } from './policy';

interface Collecting {
  ctx: Ctx;
  input: { id: string; slug: string };
}

/**
 * Puts an agent into one's own collection; a second time changes nothing. Only agents that everybody can find are shown.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found`, `gone`; `conflict` when it is full
 */
export async function collectAgent({ ctx, input }: Collecting): Promise<void> {
  const { person } = await requireKept(ctx.actor, input.id);
  const agent = requireVisible(ctx.actor, await findAgent(input.slug));
  const of = { id: input.id, ownerId: person.userId, agentId: agent.id };
  if (await addToCollection(of, { now: ctx.now, most: MAX_COLLECTED })) return;
  throw new ParleyError('conflict', `The collection holds ${MAX_COLLECTED} agents, which is the most.`);
}

/**
 * Takes an agent out of one's own collection, also one that is gone.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found`
 */
export async function uncollectAgent({ ctx, input }: Collecting): Promise<void> {
  const { person } = await requireKept(ctx.actor, input.id);
  const agent = await findAgent(input.slug);
  if (agent) await removeFromCollection({ id: input.id, ownerId: person.userId, agentId: agent.id });
}
