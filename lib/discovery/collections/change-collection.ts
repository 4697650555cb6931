import { requireAdmin } from '../../identity';
import type { Ctx } from '../../platform/context';
import type { CollectionChange, CollectionSummary } from '../schema';
import { deleteCollection, updateCollection } from '../store/collections';
import { requireKept, requireSeen } from './policy';
import { toCollectionSummary } from './to-wire';

/**
 * Changes one's own collection. Only an admin recommends it to everybody, also one of somebody else; one that is made
 * private is not recommended any more.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found`; what `requireAdmin` throws
 */
export async function changeCollection({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: CollectionChange & { id: string };
}): Promise<CollectionSummary> {
  const { id, isCurated, ...change } = input;
  if (isCurated !== undefined) await requireAdmin({ ctx });
  const foreign = isCurated !== undefined && Object.values(change).every((value) => value === undefined);
  const collection = foreign ? await requireSeen(ctx.actor, id) : (await requireKept(ctx.actor, id)).collection;
  const isPrivate = (change.visibility ?? collection.visibility) === 'private';
  await updateCollection(id, { ...change, isCurated: isPrivate ? false : isCurated }, ctx.now);
  return toCollectionSummary(await requireSeen(ctx.actor, id), ctx.actor);
}

/**
 * Deletes one's own collection.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found`
 */
export async function dropCollection({ ctx, input }: { ctx: Ctx; input: { id: string } }): Promise<void> {
  const { person } = await requireKept(ctx.actor, input.id);
  await deleteCollection({ id: input.id, ownerId: person.userId });
}
