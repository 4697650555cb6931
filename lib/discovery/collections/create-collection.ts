import { requireUser } from '../../catalog';
import { requireAdmin } from '../../identity';
import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import type { CollectionInput, CollectionSummary } from '../schema';
import { countCollections, insertCollection } from '../store/collections';
import { MAX_COLLECTIONS, requireVisibleCollection } from './policy';
import { toCollectionSummary } from './to-wire';

/**
 * Makes an empty collection. One that Parley recommends is an admin's, and public.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `conflict` for more than a hundred; what `requireAdmin` throws
 */
export async function createCollection({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: CollectionInput;
}): Promise<CollectionSummary> {
  const { userId } = requireUser(ctx.actor, 'agents:write');
  if (input.isCurated) await requireAdmin({ ctx });
  if ((await countCollections(userId)) >= MAX_COLLECTIONS) {
    throw new ParleyError('conflict', `You have ${MAX_COLLECTIONS} collections, which is the most. Delete one first.`);
  }
  const id = newId('col');
  const visibility = input.isCurated ? 'public' : input.visibility;
  await insertCollection({ ...input, visibility, isCurated: input.isCurated ?? false, id, ownerId: userId }, ctx.now);
  return toCollectionSummary(await requireVisibleCollection(ctx.actor, id), ctx.actor);
}
