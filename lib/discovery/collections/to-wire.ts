import type { Actor } from '../../platform/context';
import type { CollectionSummary } from '../schema';
import type { CollectionRecord } from '../store/collections';
import { isOwner } from './policy';

/** A collection in a list, as this actor sees it. */
export function toCollectionSummary(collection: CollectionRecord, actor: Actor): CollectionSummary {
  const { ownerId: _ownerId, holds: _holds, updatedAt, ...shown } = collection;
  return { ...shown, isOwn: isOwner(actor, collection), updatedAt: updatedAt.toISOString() };
}
