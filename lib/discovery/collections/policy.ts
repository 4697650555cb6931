import { requireUser } from '../../catalog';
import type { AccessScope, Actor, UserActor } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { type CollectionRecord, selectCollection } from '../store/collections';

/** Collections of one person, and agents of one collection. */
export const MAX_COLLECTIONS = 100;
export const MAX_AGENTS_PER_COLLECTION = 200;

function notFound(): ParleyError {
  return new ParleyError('not_found', 'There is no such collection.');
}

/** True for the person who keeps it. */
export function isOwner(actor: Actor, { ownerId }: Pick<CollectionRecord, 'ownerId'>): boolean {
  return actor.kind === 'user' && actor.userId === ownerId;
}

/**
 * The collection, when this actor may see it: everybody a public one, its keeper a private one.
 * @throws {ParleyError} `not_found`
 */
export async function requireVisibleCollection(actor: Actor, id: string): Promise<CollectionRecord> {
  const found = /^col_[0-9a-z]{20}$/.test(id) ? await selectCollection(id) : null;
  if (!found || (found.visibility === 'private' && !isOwner(actor, found))) throw notFound();
  return found;
}

/**
 * The collection and the person, when it is theirs; a foreign one is answered like an unknown one.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found`
 */
export async function requireOwnCollection(
  actor: Actor,
  id: string,
  scope: AccessScope = 'agents:write',
): Promise<{ person: UserActor; collection: CollectionRecord }> {
  const person = requireUser(actor, scope);
  const collection = await requireVisibleCollection(actor, id);
  if (!isOwner(actor, collection)) throw notFound();
  return { person, collection };
}
