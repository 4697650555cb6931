import { db } from '../../platform/db/db';
import { inTransaction, lockRow } from '../../platform/db/tx';
import type { SavedQuery } from '../schema-saved-searches';

interface NewSavedSearch {
  id: string;
  userId: string;
  name: string;
  query: SavedQuery;
  wantsMail: boolean;
  feedTokenHash: string | null;
}

/** Stores a search, which is due immediately. Returns false if the user already has `max` searches. */
export async function insertSavedSearch(
  search: NewSavedSearch,
  { now, max }: { now: Date; max: number },
): Promise<boolean> {
  return inTransaction(async (tx) => {
    await lockRow(tx, 'user', { id: search.userId });
    if ((await tx.savedSearch.count({ where: { userId: search.userId } })) >= max) return false;
    await tx.savedSearch.create({ data: { ...search, createdAt: now, updatedAt: now, dueAt: now } });
    return true;
  });
}

/** A user's search. */
interface Key {
  id: string;
  userId: string;
}

interface SavedSearchChanges {
  name?: string;
  query?: SavedQuery;
  wantsMail?: boolean;
  feedTokenHash?: string | null;
}

/**
 * Changes a search of the user. With another query, it is treated as new: its next run sends no notifications. Setting
 * `wantsMail` drops the matches that are pending for an email. Returns false if the user has no such search.
 */
export async function updateSavedSearch(key: Key, changes: SavedSearchChanges, now: Date): Promise<boolean> {
  const restart = changes.query && { ranAt: null, dueAt: now };
  return inTransaction(async (tx) => {
    const { count } = await tx.savedSearch.updateMany({ where: key, data: { ...changes, ...restart, updatedAt: now } });
    if (count === 0) return false;
    if (changes.query) await tx.savedSearchMatch.deleteMany({ where: { searchId: key.id } });
    // Matches that were found while emails were disabled are not emailed later, and vice versa.
    if (changes.wantsMail !== undefined) {
      await tx.savedSearchMatch.updateMany({ where: { searchId: key.id }, data: { isPending: false } });
    }
    return true;
  });
}

/** Deletes a search. Returns false if the user has no such search. */
export async function deleteSavedSearch(key: Key): Promise<boolean> {
  const { count } = await db().savedSearch.deleteMany({ where: key });
  return count > 0;
}
