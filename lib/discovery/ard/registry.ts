import { z } from 'zod';
import { foldText } from '../../catalog';
import type { Ctx } from '../../platform/context';
import { cursorText, cursorTime, defineCursor } from '../../platform/db/cursor';
import { ParleyError } from '../../platform/errors';
import {
  type ArdEntry,
  type ArdList,
  type ArdListQuery,
  type ArdManifest,
  type ArdResults,
  type ArdSearch,
  isIdentifier,
} from '../../protocol/ard/entries';
import { readFilter, readListFilter } from '../../protocol/ard/filters';
import { MAX_CURSOR_ID_LENGTH, MAX_CURSOR_NAME_LENGTH, MAX_MANIFEST_AGENTS, MAX_QUERY_LENGTH } from '../limits';
import { type SearchResult, searchQuerySchema } from '../schema';
import { searchAgents } from '../search-agents';
import { ardOrders, selectArdList, selectArdRows } from '../store/registry-rows';
import { mayMatch, ownPublisher, registryEntry, registryUrl, resourceOf, toArdEntry } from './ard-entries';

/**
 * Searches the public agents by a description of a need. Results have scores from 0 to 100 and are in descending order.
 * @throws {ParleyError} `invalid_request` for a filter with other terms, or a page token of another search
 */
export async function searchArd({ ctx, input }: { ctx: Pick<Ctx, 'now'>; input: ArdSearch }): Promise<ArdResults> {
  const { text, filter = {}, '@context': context } = input.query;
  const read = readFilter(filter, context);
  if ('refusal' in read) throw new ParleyError('invalid_request', read.refusal);
  const publisher = ownPublisher();
  const referrals = input.federation === 'referrals' ? { referrals: [] } : {};
  if (publisher === null || !mayMatch(read.terms, publisher)) return { results: [], ...referrals };
  const query = searchQuerySchema.parse({ q: withinLength(text), limit: input.pageSize, cursor: input.pageToken });
  const page = await searchAgents({
    ctx,
    input: { ...query, anyTag: read.terms.tags, skill: read.terms.capabilities },
  });
  const rows = new Map((await selectArdRows(page.items.map(({ slug }) => slug))).map((row) => [row.slug, row]));
  const scores = scoresOf(page.items);
  const results = page.items.flatMap(({ slug, fit }, index) => {
    const row = rows.get(slug);
    if (!row) return [];
    const { representativeQueries: _queries, ...entry } = toArdEntry(row, publisher);
    return [{ ...entry, score: scores[index] ?? 0, ...(fit && { fit }), source: registryUrl() }];
  });
  return { results, ...referrals, ...(page.nextCursor !== null && { pageToken: page.nextCursor }) };
}

/** Returns the whole words of a text that the search evaluates. */
function withinLength(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= MAX_QUERY_LENGTH
    ? line
    : line
        .slice(0, MAX_QUERY_LENGTH + 1)
        .replace(/\s\S*$/, '')
        .slice(0, MAX_QUERY_LENGTH);
}

/** The score of a result that was matched only by words and therefore has no measured score. */
const UNMEASURED_SCORE = 50;

/**
 * Returns the scores from 0 to 100. They never increase within the list: an exact name is first, regardless of its
 * other texts.
 */
function scoresOf(items: SearchResult[]): number[] {
  const scores = items.map(({ match }) =>
    match === null ? UNMEASURED_SCORE : Math.round(100 * Math.min(1, Math.max(0, match.score))),
  );
  for (let index = scores.length - 2; index >= 0; index--) {
    scores[index] = Math.max(scores[index] ?? 0, scores[index + 1] ?? 0);
  }
  return scores;
}

const listCursor = defineCursor({
  list: 'ard',
  position: z.object({
    order: z.enum(ardOrders),
    filter: z.string(),
    nameKey: cursorText(MAX_CURSOR_NAME_LENGTH),
    createdAt: cursorTime,
    agentId: cursorText(MAX_CURSOR_ID_LENGTH),
  }),
  refuse: () =>
    new ParleyError('invalid_request', 'The page token does not belong to this list. Repeat the request without it.'),
});

/**
 * Lists the public agents, newest first or by name.
 * @throws {ParleyError} `invalid_request` for another order or filter, or a page token of another list
 */
export async function listArdEntries({ input }: { input: ArdListQuery }): Promise<ArdList> {
  const { orderBy = 'createdAt DESC', filter: expression = '', pageSize, pageToken } = input;
  const read = readListFilter(expression);
  if ('refusal' in read) throw new ParleyError('invalid_request', read.refusal);
  const order = ardOrders.find((known) => known === orderBy.trim().replace(/^(displayName) asc$/i, '$1'));
  if (!order) {
    const found = orderBy.slice(0, 60);
    throw new ParleyError(
      'invalid_request',
      `Found orderBy "${found}"; expected ${ardOrders.map((known) => `"${known}"`).join(' or ')}.`,
    );
  }
  const after = pageToken === undefined ? undefined : listCursor.decode(pageToken);
  if (after && (after.order !== order || after.filter !== expression)) listCursor.decode('');
  const { displayName, type, publisherId, createdAfter, updatedAfter } = read.filter;
  const publisher = ownPublisher();
  if (publisher === null || !mayMatch({ type, publisher: publisherId }, publisher)) return { items: [] };
  const namePrefix = displayName === undefined ? undefined : foldText(displayName);
  const found = await selectArdList({ order, after, namePrefix, createdAfter, updatedAfter, limit: pageSize + 1 });
  const rows = found.slice(0, pageSize);
  const last = found.length > pageSize ? rows.at(-1) : undefined;
  return {
    items: rows.map((row) => toArdEntry(row, publisher)),
    ...(last && { pageToken: listCursor.encode({ ...last, order, filter: expression }) }),
  };
}

/**
 * Returns the manifest of this Parley deployment: its registry, and the most recently listed public agents. Empty if
 * APP_URL has no domain name (ARD Appendix C).
 */
export async function getArdManifest(): Promise<ArdManifest> {
  const manifest = { specVersion: '1.0', host: { displayName: 'Parley' } };
  const publisher = ownPublisher();
  if (publisher === null) return { ...manifest, entries: [] };
  const rows = await selectArdList({ order: 'createdAt DESC', limit: MAX_MANIFEST_AGENTS });
  return { ...manifest, entries: [registryEntry(publisher), ...rows.map((row) => toArdEntry(row, publisher))] };
}

/**
 * Returns the complete entry with an identifier, compared exactly.
 * @throws {ParleyError} `invalid_request` for text that is not an identifier, `not_found`
 */
export async function getArdEntry({ input }: { input: { identifier: string } }): Promise<ArdEntry> {
  const { identifier } = input;
  if (!isIdentifier(identifier)) {
    const found = identifier.slice(0, 80);
    throw new ParleyError(
      'invalid_request',
      `Found "${found}"; expected an identifier such as urn:air:acme.com:agent:assistant.`,
    );
  }
  const publisher = ownPublisher();
  const named = publisher === null ? null : resourceOf(identifier, publisher);
  if (publisher !== null && named?.kind === 'registry') return registryEntry(publisher);
  const [row] = named?.kind === 'agent' ? await selectArdRows([named.slug]) : [];
  if (publisher !== null && row) return toArdEntry(row, publisher);
  throw new ParleyError('not_found', 'Entry not found. This registry has no entry with this identifier.');
}
