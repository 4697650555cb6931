import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import type { ArdResults, ArdSearch } from '../../protocol/ard/entries';
import { readFilter } from '../../protocol/ard/filters';
import { MAX_QUERY_LENGTH } from '../limits';
import { type SearchResult, searchQuerySchema } from '../schema';
import { searchAgents } from '../search/search-agents';
import { selectArdRows } from '../store/ard';
import { mayMatch, ownPublisher, registryUrl, toArdEntry } from './ard-entries';

/**
 * Searches the public agents by a description of the need. Every result has a score from 0 to 100, in descending order.
 * @throws {ParleyError} `invalid_request` for a filter by other terms, or a page token of another search
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
  const results = page.items.flatMap(({ slug }, index) => {
    const row = rows.get(slug);
    if (!row) return [];
    const { representativeQueries: _queries, ...entry } = toArdEntry(row, publisher);
    return [{ ...entry, score: scores[index] ?? 0, source: registryUrl() }];
  });
  return { results, ...referrals, ...(page.nextCursor !== null && { pageToken: page.nextCursor }) };
}

/** The whole words of a text that the search evaluates. */
function withinLength(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= MAX_QUERY_LENGTH
    ? line
    : line
        .slice(0, MAX_QUERY_LENGTH + 1)
        .replace(/\s\S*$/, '')
        .slice(0, MAX_QUERY_LENGTH);
}

/** The score of a result that was matched by words only and therefore has no measured score. */
const UNMEASURED_SCORE = 50;

/**
 * Scores from 0 to 100. The scores never increase within the list: an exact name is first, regardless of its other
 * texts.
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
