import { findAgent, requireVisible } from '../../catalog';
import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { addToCollection, removeFromCollection } from '../store/collections';
import { MAX_AGENTS_PER_COLLECTION, requireOwnCollection } from './policy';

interface CollectionEntryInput {
  ctx: Ctx;
  input: { id: string; slug: string };
}

/**
 * Puts an agent into one's own collection; a second time changes nothing. Only agents that everybody can find are shown.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found`, `gone`; `conflict` when it is full
 */
export async function addAgentToCollection({ ctx, input }: CollectionEntryInput): Promise<void> {
  const { person } = await requireOwnCollection(ctx.actor, input.id);
  const agent = requireVisible(ctx.actor, await findAgent(input.slug));
  const entry = { id: input.id, ownerId: person.userId, agentId: agent.id };
  if (await addToCollection(entry, { now: ctx.now, max: MAX_AGENTS_PER_COLLECTION })) return;
  throw new ParleyError('conflict', `The collection holds ${MAX_AGENTS_PER_COLLECTION} agents, which is the most.`);
}

/**
 * Takes an agent out of one's own collection, also one that is gone.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found`
 */
export async function removeAgentFromCollection({ ctx, input }: CollectionEntryInput): Promise<void> {
  const { person } = await requireOwnCollection(ctx.actor, input.id);
  const agent = await findAgent(input.slug);
  if (agent) await removeFromCollection({ id: input.id, ownerId: person.userId, agentId: agent.id });
}
