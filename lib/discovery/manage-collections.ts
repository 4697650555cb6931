import { findAgent, iconUrlOf, maySeeAgent, requireVisible } from '../catalog';
import { authorize, requireAdmin } from '../identity';
import type { Actor, Ctx, UserActor } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { newId } from '../platform/ids';
import { MAX_AGENTS_PER_COLLECTION, MAX_COLLECTIONS, MAX_LISTED_COLLECTIONS } from './limits';
import type {
  CollectionChange,
  CollectionInput,
  CollectionSummary,
  Collections,
  CollectionView,
} from './schema-collections';
import { toListedView } from './search-agents';
import { countCollections, deleteCollection, insertCollection, updateCollection } from './store/change-collections';
import {
  addToCollection,
  type CollectionRecord,
  removeFromCollection,
  selectCollection,
  selectCollectionAgents,
  selectOwnCollections,
  selectPublicCollections,
} from './store/collection-rows';

/**
 * Lists the public collections and the caller's own. `holds` states which of the latter contain the agent
 * `input.agent`.
 */
export async function listCollections({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'actor'>;
  input: { agent?: string };
}): Promise<Collections> {
  const { actor } = ctx;
  const agent = input.agent === undefined ? null : await findAgent(input.agent);
  const agentId = agent && maySeeAgent(actor, agent) ? agent.id : null;
  const [shared, own] = await Promise.all([
    selectPublicCollections(MAX_LISTED_COLLECTIONS),
    actor.kind === 'user' ? selectOwnCollections(actor.userId, agentId) : [],
  ]);
  return {
    shared: shared.map((collection) => toCollectionSummary(collection, actor)),
    own: own.map((collection) => ({ ...toCollectionSummary(collection, actor), holds: collection.holds })),
  };
}

/**
 * Returns a collection with its agents. Agents that are not public are omitted.
 * @throws {ParleyError} `not_found`, also for private collections of other users
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

/** Streams all collections of the user with their agents. */
export async function* readOwnCollections({ ctx }: { ctx: Pick<Ctx, 'actor'> }): AsyncGenerator<CollectionView> {
  const own = ctx.actor.kind === 'user' ? await selectOwnCollections(ctx.actor.userId, null) : [];
  for (const { id } of own) yield getCollection({ ctx, input: { id } });
}

/**
 * Creates an empty collection. Only an admin can create a curated one, which is public.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `conflict` above {@link MAX_COLLECTIONS}; the
 *   errors of `requireAdmin`
 */
export async function createCollection({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: CollectionInput;
}): Promise<CollectionSummary> {
  const { userId } = authorize(ctx.actor, { scope: 'agents:write' });
  if (input.isCurated) await requireAdmin({ ctx });
  if ((await countCollections(userId)) >= MAX_COLLECTIONS) {
    throw new ParleyError('conflict', `You have ${MAX_COLLECTIONS} collections, which is the limit. Delete one first.`);
  }
  const id = newId('col');
  const visibility = input.isCurated ? 'public' : input.visibility;
  await insertCollection({ ...input, visibility, isCurated: input.isCurated ?? false, id, ownerId: userId }, ctx.now);
  return toCollectionSummary(await requireVisibleCollection(ctx.actor, id), ctx.actor);
}

/**
 * Changes the user's own collection. Only an admin can curate a collection, including another user's. A collection that
 * becomes private is no longer curated.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found`; the errors of `requireAdmin`
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
 * Deletes the user's own collection.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found`
 */
export async function deleteOwnCollection({ ctx, input }: { ctx: Ctx; input: { id: string } }): Promise<void> {
  const { user } = await requireOwnCollection(ctx.actor, input.id);
  await deleteCollection({ id: input.id, ownerId: user.userId });
}

interface CollectionEntryInput {
  ctx: Ctx;
  input: { id: string; slug: string };
}

/**
 * Adds an agent to the user's own collection. Idempotent.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found`, `gone`; `conflict` if it is full
 */
export async function addAgentToCollection({ ctx, input }: CollectionEntryInput): Promise<void> {
  const { user } = await requireOwnCollection(ctx.actor, input.id);
  const agent = requireVisible(ctx.actor, await findAgent(input.slug));
  const entry = { id: input.id, ownerId: user.userId, agentId: agent.id };
  if (await addToCollection(entry, { now: ctx.now, max: MAX_AGENTS_PER_COLLECTION })) return;
  throw new ParleyError(
    'conflict',
    `The collection has ${MAX_AGENTS_PER_COLLECTION} agents, which is the limit. Remove one first.`,
  );
}

/**
 * Removes an agent, even a withdrawn one, from the user's own collection.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found`
 */
export async function removeAgentFromCollection({ ctx, input }: CollectionEntryInput): Promise<void> {
  const { user } = await requireOwnCollection(ctx.actor, input.id);
  const agent = await findAgent(input.slug);
  if (agent) await removeFromCollection({ id: input.id, ownerId: user.userId, agentId: agent.id });
}

/**
 * Returns a visible collection.
 * @throws {ParleyError} `not_found` unless the collection is public or the actor's own
 */
async function requireVisibleCollection(actor: Actor, id: string): Promise<CollectionRecord> {
  const found = /^col_[0-9a-z]{20}$/.test(id) ? await selectCollection(id) : null;
  if (!found || (found.visibility === 'private' && !isOwner(actor, found))) throw collectionNotFound();
  return found;
}

/**
 * Returns the user's own collection.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`; `not_found` (also for other users' collections)
 */
async function requireOwnCollection(
  actor: Actor,
  id: string,
): Promise<{ user: UserActor; collection: CollectionRecord }> {
  const user = authorize(actor, { scope: 'agents:write' });
  const collection = await requireVisibleCollection(actor, id);
  if (!isOwner(actor, collection)) throw collectionNotFound();
  return { user, collection };
}

function isOwner(actor: Actor, { ownerId }: Pick<CollectionRecord, 'ownerId'>): boolean {
  return actor.kind === 'user' && actor.userId === ownerId;
}

function collectionNotFound(): ParleyError {
  return new ParleyError('not_found', 'Collection not found.');
}

function toCollectionSummary(collection: CollectionRecord, actor: Actor): CollectionSummary {
  const { ownerId: _ownerId, holds: _holds, preview, updatedAt, ...shown } = collection;
  return {
    ...shown,
    preview: preview.map(({ slug, name, iconDigest }) => ({ slug, name, iconUrl: iconUrlOf({ slug, iconDigest }) })),
    isOwn: isOwner(actor, collection),
    updatedAt: updatedAt.toISOString(),
  };
}
