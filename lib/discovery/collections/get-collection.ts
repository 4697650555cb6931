import type { Ctx } from '../../platform/context';
import { toListedView } from '../list-similar';
import type { CollectionView } from '../schema';
import { selectCollectionAgents, selectOwnCollections } from '../store/collections';
import { requireVisibleCollection } from './policy';
import { toCollectionSummary } from './to-wire';

/**
 * A collection with its agents; those that left the catalogue are left out.
 * @throws {ParleyError} `not_found`, for private ones of others alike
 */
export async function getCollection({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'actor'>;
  input: { id: string };
}): Promise<CollectionView> {
  const collection = await requireVisibleCollection(ctx.actor, input.id);
  const items = await selectCollectionAgents(collection.id);
  return { ...toCollectionSummary(collection, ctx.actor), items: items.map(toListedView) };
}

/** All collections of the person who asks, with what is in them. */
export async function* readOwnCollections({ ctx }: { ctx: Pick<Ctx, 'actor'> }): AsyncGenerator<CollectionView> {
  const own = ctx.actor.kind === 'user' ? await selectOwnCollections(ctx.actor.userId, null) : [];
  for (const { id } of own) yield getCollection({ ctx, input: { id } });
}
