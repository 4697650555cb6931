import { requireAdmin } from '../../identity';
import type { Ctx } from '../../platform/context';
import type { CollectionChange, CollectionSummary } from '../schema';
import { deleteCollection, updateCollection } from '../store/collections';
import { requireOwnCollection, requireVisibleCollection } from './policy';
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
  const isCurationOnly = isCurated !== undefined && Object.values(change).every((value) => value === undefined);
  const collection = isCurationOnly
    ? await requireVisibleCollection(ctx.actor, id)
    : (await requireOwnCollection(ctx.actor, id)).collection;
  const isPrivate = (change.visibility ?? collection.visibility) === 'private';
  await updateCollection(id, { ...change, isCurated: isPrivate ? false : isCurated }, ctx.now);
  return toCollectionSummary(await requireVisibleCollection(ctx.actor, id), ctx.actor);
}

/**
 * Deletes one's own collection.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found`
 */
export async function deleteOwnCollection({ ctx, input }: { ctx: Ctx; input: { id: string } }): Promise<void> {
  const { person } = await requireOwnCollection(ctx.actor, input.id);
  await deleteCollection({ id: input.id, ownerId: person.userId });
}
