import { toSummary } from '../catalog';
import { normaliseTag } from '../catalog/schema';
import type { Ctx } from '../platform/context';
import { decodeCursor, encodeCursor } from './cursor';
import type { SearchPage, SearchQuery, SearchResult } from './schema';
import { MAX_COUNTED, type SearchRequest } from './search-sql';
import { type Match, type Matches, noFacets, selectMatches, selectSimilarWords } from './store/search';
import { bestSkill, mayBeMisspelt, type Terms, termsOf } from './terms';

const noMatches: Matches = { items: [], counted: 0, facets: noFacets };

/** Every word that may be misspelt costs a look-up and six arms of the statement. */
const MAX_TOLERANT_WORDS = 8;

/** Score of a match by all words from which on the name holds them all. */
const nameScore = 3;

/**
 * Searches the agents that everybody may find, by name, skills, tags, examples and description. First for all words, the
 * last of them perhaps unfinished; when nothing has them all, for any of them and for similar ones. Private and unlisted
 * agents are never found, not even by their owners.
 * @throws {ParleyError} `invalid_request` for a cursor of another search
 */
export async function searchAgents({ ctx, input }: { ctx: Pick<Ctx, 'now'>; input: SearchQuery }): Promise<SearchPage> {
  const after = input.cursor === undefined ? null : decodeCursor(input.cursor, input);
  const terms = termsOf(input.q);
  if (!terms && input.q !== '') return toPage(noMatches, { input, terms, relaxed: false });
  const { health, price, publisher, rating, updated, limit } = input;
  const request: SearchRequest = {
    ...{ health, price, publisher, rating, updated, limit },
    tags: input.tag.map(normaliseTag),
    capabilities: input.capability,
    terms,
    // Without words everything is equally relevant, and the best score comes first.
    sort: input.sort === 'relevance' && !terms ? 'best' : input.sort,
    relaxed: after?.relaxed ?? false,
    after,
    now: ctx.now,
  };
  if (terms && request.relaxed) return searchRelaxed(request, { input, terms });
  const matches = await selectMatches(request);
  if (matches.counted === 0 && terms && !after) return searchRelaxed(request, { input, terms });
  return toPage(matches, { input, terms, relaxed: false });
}

async function searchRelaxed(
  request: SearchRequest,
  { input, terms }: { input: SearchQuery; terms: Terms },
): Promise<SearchPage> {
  const first = terms.words.slice(0, MAX_TOLERANT_WORDS);
  const similar = await selectSimilarWords(first.filter(mayBeMisspelt).map(({ text }) => text));
  const words = first.map((term) => ({ ...term, similar: similar.get(term.text) ?? [] }));
  const tolerant = { ...terms, words };
  const matches = await selectMatches({ ...request, terms: tolerant, relaxed: true });
  return toPage(matches, { input, terms: tolerant, relaxed: true });
}

interface Search {
  input: SearchQuery;
  terms: Terms | null;
  relaxed: boolean;
}

function toPage(matches: Matches, search: Search): SearchPage {
  const { input, relaxed } = search;
  const items = matches.items.slice(0, input.limit);
  const last = matches.items.length > input.limit ? items.at(-1) : undefined;
  return {
    items: items.map((match) => toResult(match, search)),
    nextCursor: last ? encodeCursor({ ...last, relaxed }, input) : null,
    total: Math.min(matches.counted, MAX_COUNTED),
    totalIsCapped: matches.counted > MAX_COUNTED,
    facets: matches.facets,
  };
}

function toResult({ agent, score, skills, standing }: Match, { terms, relaxed }: Search): SearchResult {
  const byName = !relaxed && score >= nameScore;
  return { ...toSummary(agent), matchedSkill: terms && !byName ? bestSkill(terms, skills) : null, standing };
}
