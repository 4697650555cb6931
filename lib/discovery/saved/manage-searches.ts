import { authorize } from '../../identity';
import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { env } from '../../platform/runtime/env';
import { newSecret, sha256 } from '../../platform/secrets/crypto';
import { escapeXml } from '../crawler-documents';
import { MAX_FEED_MATCHES, MAX_SAVED_SEARCHES } from '../limits';
import type {
  CreatedSavedSearch,
  SavedSearchChange,
  SavedSearchInput,
  SavedSearchView,
} from '../schema-saved-searches';
import { deleteSavedSearch, insertSavedSearch, updateSavedSearch } from '../store/change-saved-searches';
import {
  type FoundAgent,
  type SavedSearchRecord,
  selectFound,
  selectSavedSearchByToken,
  selectSavedSearches,
} from '../store/saved-search-rows';
import { searchUrl } from './run-searches';

interface SearchInput {
  ctx: Ctx;
  input: { id: string };
}

/**
 * Returns the user's saved searches, newest first.
 * @throws {ParleyError} `unauthenticated`, `forbidden`
 */
export async function listSavedSearches({ ctx }: { ctx: Pick<Ctx, 'actor'> }): Promise<SavedSearchView[]> {
  const { userId } = authorize(ctx.actor, 'session');
  return (await selectSavedSearches(userId)).map(toView);
}

/**
 * Saves a search. The user is not notified of agents that already match. The URL of its feed is returned only once.
 * @throws {ParleyError} `unauthenticated`, `forbidden`; `conflict` above {@link MAX_SAVED_SEARCHES}
 */
export async function saveSearch({ ctx, input }: { ctx: Ctx; input: SavedSearchInput }): Promise<CreatedSavedSearch> {
  const { userId } = authorize(ctx.actor, 'session');
  const { name, query, mail, feed } = input;
  const secret = feed ? newFeed() : null;
  const search = { id: newId('svs'), userId, name, query, wantsMail: mail, feedTokenHash: secret?.hash ?? null };
  if (!(await insertSavedSearch(search, { now: ctx.now, max: MAX_SAVED_SEARCHES }))) {
    throw new ParleyError(
      'conflict',
      `You have ${MAX_SAVED_SEARCHES} saved searches, which is the limit. Delete one first.`,
    );
  }
  return { ...toView({ ...search, createdAt: ctx.now, ranAt: null }), feedUrl: secret?.url ?? null };
}

/**
 * Changes a search of the user. If the query changes, it is treated as a new search.
 * @throws {ParleyError} `unauthenticated`, `forbidden`; `not_found` (also for other users' searches)
 */
export async function changeSavedSearch({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: SavedSearchChange & { id: string };
}): Promise<SavedSearchView> {
  const { id, name, query, mail } = input;
  await update({ ctx, input: { id } }, { name, query, wantsMail: mail });
  const found = (await listSavedSearches({ ctx })).find((search) => search.id === id);
  if (!found) throw searchNotFound();
  return found;
}

/**
 * Deletes a search of the user with its feed.
 * @throws {ParleyError} `unauthenticated`, `forbidden`; `not_found` (also for other users' searches)
 */
export async function deleteOwnSavedSearch({ ctx, input }: SearchInput): Promise<void> {
  const { userId } = authorize(ctx.actor, 'session');
  if (!(await deleteSavedSearch({ id: input.id, userId }))) throw searchNotFound();
}

/**
 * Creates a new feed URL for a search of the user, which is returned only once. An earlier URL becomes invalid.
 * @throws {ParleyError} `unauthenticated`, `forbidden`; `not_found` (also for other users' searches)
 */
export async function renewFeed(call: SearchInput): Promise<{ feedUrl: string }> {
  const { hash, url } = newFeed();
  await update(call, { feedTokenHash: hash });
  return { feedUrl: url };
}

/**
 * Deletes the feed of a search of the user.
 * @throws {ParleyError} `unauthenticated`, `forbidden`; `not_found` (also for other users' searches)
 */
export async function endFeed(call: SearchInput): Promise<void> {
  await update(call, { feedTokenHash: null });
}

async function update({ ctx, input }: SearchInput, changes: Parameters<typeof updateSavedSearch>[1]): Promise<void> {
  const { userId } = authorize(ctx.actor, 'session');
  if (!(await updateSavedSearch({ id: input.id, userId }, changes, ctx.now))) throw searchNotFound();
}

function newFeed(): { hash: string; url: string } {
  const token = newSecret('parley_feed_');
  return { hash: sha256(token), url: `${env().APP_URL}/api/saved-searches/feeds/${token}` };
}

function searchNotFound(): ParleyError {
  return new ParleyError('not_found', 'Saved search not found.');
}

function toView(search: SavedSearchRecord): SavedSearchView {
  return {
    id: search.id,
    name: search.name,
    query: search.query,
    mail: search.wantsMail,
    feed: search.feedTokenHash !== null,
    createdAt: search.createdAt.toISOString(),
    checkedAt: search.ranAt?.toISOString() ?? null,
  };
}

/**
 * Renders the Atom feed (RFC 4287) of a saved search's results, by the secret in its URL. Requires no other
 * authorization.
 * @throws {ParleyError} `not_found` for an unknown or replaced URL
 */
export async function renderSavedSearchFeed({ input }: { input: { token: string } }): Promise<string> {
  const search = await selectSavedSearchByToken(sha256(input.token));
  if (!search) throw new ParleyError('not_found', 'Feed not found. Its URL may have been replaced.');
  const found = await selectFound(search.id, MAX_FEED_MATCHES);
  const updated = found[0]?.foundAt ?? search.ranAt ?? search.createdAt;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:parley:saved-search:${search.id}</id>`,
    `<title>${escapeXml(search.name)}</title><link href="${escapeXml(searchUrl(search.query))}"/>`,
    `<author><name>Parley</name></author><updated>${updated.toISOString()}</updated>`,
    ...found.map(toEntry),
    '</feed>',
    '',
  ].join('\n');
}

function toEntry({ slug, name, description, tags, foundAt }: FoundAgent): string {
  const url = `${env().APP_URL}/agents/${slug}`;
  const categories = tags.map((tag) => `<category term="${escapeXml(tag)}"/>`).join('');
  return (
    `<entry><id>${url}</id><title>${escapeXml(name)}</title><link href="${url}"/>` +
    `<updated>${foundAt.toISOString()}</updated>${categories}<summary>${escapeXml(description)}</summary></entry>`
  );
}
