import { type Db, db } from '../../platform/db/db';
import type { CollectionChange, CollectionInput } from '../schema-collections';

export function countCollections(ownerId: string): Promise<number> {
  return db().collection.count({ where: { ownerId } });
}

export async function insertCollection(
  collection: Required<CollectionInput> & { id: string; ownerId: string },
  now: Date,
): Promise<void> {
  await db().collection.create({ data: { ...collection, createdAt: now, updatedAt: now } });
}

/** Changes a collection. The caller has authorized the user. */
export async function updateCollection(id: string, change: CollectionChange, now: Date): Promise<void> {
  await db().collection.update({ where: { id }, data: { ...change, updatedAt: now } });
}

export async function deleteCollection(key: { id: string; ownerId: string }): Promise<void> {
  await db().collection.deleteMany({ where: key });
}

/** Deletes all collections of a deleted account. */
export async function eraseCollections(tx: Db, ownerId: string): Promise<void> {
  await tx.collection.deleteMany({ where: { ownerId } });
}
