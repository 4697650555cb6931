import { findAgent, requireVisible, tokensOf, toSummary } from '../catalog';
import { isCallable } from '../catalog/schema';
import { normalizeTag } from '../catalog/schema-registration';
import { warmUp } from '../embeddings';
import type { Ctx } from '../platform/context';
import { MAX_COUNTED, MAX_HELP_TAGS, MAX_SIMILAR_AGENTS, MIN_RESULTS, MIN_TYPED_WORDS } from './limits';
import { type MeaningMatch, type MeaningResult, searchByMeaning } from './meaning/search-by-meaning';
import { fitByWords } from './ranking/fit';
import { ANY_WORD_SCORES, NAME_MATCH_LEVEL, SCORE_STEPS } from './ranking/score';
import {
  type AgentSearch,
  CONCIERGE_SLUG,
  type Fit,
  type SearchHelp,
  type SearchPage,
  type SearchResult,
  searchQuerySchema,
} from './schema';
import type { ListedAgentView } from './schema-rankings';
import {
  type Match,
  type Matches,
  noFacets,
  selectMatches,
  selectRanked,
  selectSimilar,
  selectSimilarWords,
} from './store/search';
import { type Cursor, decodeCursor, encodeCursor } from './store/search-cursor';
import type { SearchRequest } from './store/search-sql';
import type { RankedAgent } from './store/summary-row';
import { bestSkill, mayBeMisspelled, type Terms, termsOf } from './terms';

/** Maximum words that are matched tolerantly. Each costs an index scan and six subqueries. */
const MAX_TOLERANT_WORDS = 8;
/** Maximum similar words that are searched per word. */
const MAX_SIMILAR_WORDS = 5;
/** Minimum trigram similarity: the default of pg_trgm. */
const SIMILARITY = 0.3;

const noMatches: Matches = { items: [], counted: 0, facets: noFacets };

/** A search as requested, and the results of its analysis. */
interface Search {
  input: AgentSearch;
  request: SearchRequest;
  terms: Terms;
  after: Cursor | null;
}

/**
 * Searches public agents by meaning and words. If meanings cannot be compared, searches by words: first for all words,
 * the last one also as a prefix; without a match, tolerantly for any word or a similar one. If any agent passes the
 * filters, the page is not empty: if nothing fits, it contains the closest agents, and `isWeak` is true. In order of
 * relevance, results that fit come first, then those that might fit, then the closest ones.
 * @throws {ParleyError} `invalid_request` for a cursor of another search
 */
export async function searchAgents({ ctx, input }: { ctx: Pick<Ctx, 'now'>; input: AgentSearch }): Promise<SearchPage> {
  const after = input.cursor === undefined ? null : decodeCursor(input.cursor, input);
  const terms = termsOf(input.q);
  const request = requestOf(input, { terms, after, now: ctx.now });
  if (!terms) {
    if (input.q !== '') return searchClosest({ input, request }, 'skipped');
    return toPage(await selectMatches(request), { input, semantic: 'skipped', toItem: (match) => toItem(match) });
  }
  const search = { input, request, terms, after };
  if (!comparesMeanings(search)) return searchWords(search, 'skipped');
  const isTyping = input.typing !== undefined;
  const found = await searchByMeaning({ q: input.q, terms, request, isTyping, model: after?.model ?? null });
  if (typeof found !== 'string') return readRanked(search, found);
  // A list that was ranked by meaning cannot be continued by words.
  if (after?.model) return toPage(noMatches, { input, semantic: found, toItem: (match) => toItem(match) });
  return searchWords(search, found);
}

function requestOf(
  input: AgentSearch,
  { terms, after, now }: { terms: Terms | null; after: Cursor | null; now: Date },
): SearchRequest {
  const { health, price, presence, publisher, rating, updated, limit } = input;
  return {
    ...{ health, price, presence, publisher, rating, updated, limit },
    tags: input.tag.map(normalizeTag),
    anyTag: input.anyTag?.map(normalizeTag),
    skill: input.skill,
    capabilities: input.capability,
    terms,
    // Without words, all matches are equally relevant and are therefore ordered by score.
    sort: input.sort === 'relevance' && !terms ? 'best' : input.sort,
    relaxed: after?.relaxed ?? false,
    after,
    now,
  };
}

/**
 * Returns true if meanings are compared. Returns false for orders other than relevance, for a list that started by
 * words, and for the first words while they are being typed.
 */
function comparesMeanings({ input, after }: Omit<Search, 'request' | 'terms'>): boolean {
  if (input.sort !== 'relevance' || (after && after.model === null)) return false;
  if (input.typing === undefined || tokensOf(input.q, { singles: false }).length >= MIN_TYPED_WORDS) return true;
  warmUp();
  return false;
}

type Semantic = SearchPage['semantic'];

/** Added to the sort key, so that results are ordered by fit before their score, which is less than 3. */
const fitSteps: Record<Fit, number> = { fits: 6 * SCORE_STEPS, might_fit: 3 * SCORE_STEPS, closest: 0 };

async function readRanked({ input, request, terms }: Search, found: MeaningResult): Promise<SearchPage> {
  const byAgent = new Map(found.matches.map((match) => [match.agentId, match]));
  const order = found.matches.map((match) => ({
    agentId: match.agentId,
    sortKey: match.nameLevel * 10 * SCORE_STEPS + fitSteps[match.fit] + Math.round(match.score * SCORE_STEPS),
  }));
  const page = toPage(await selectRanked(request, order), {
    input,
    semantic: 'on',
    model: found.model,
    toItem: (item) => toRankedItem(item, { match: byAgent.get(item.agentId), terms }),
  });
  return { ...page, isWeak: found.isWeak && page.items.length > 0 };
}

async function searchWords(search: Search, semantic: Semantic): Promise<SearchPage> {
  const { input, request, terms, after } = search;
  const words = terms.words.length;
  const toExact = (match: Match): SearchResult =>
    toItem(match, {
      // In other orders than relevance, the level is unknown, but every word occurs.
      fit: fitByWords({ words, level: Math.max(1, match.score), strength: 1 }),
      matchedSkill: match.score >= NAME_MATCH_LEVEL ? null : bestSkill(terms, match.skills),
    });
  if (!request.relaxed) {
    const matches = await selectMatches(request);
    if (matches.counted > 0 || after) return toPage(matches, { input, semantic, toItem: toExact });
  }
  const tolerant = await withSimilarWords(terms);
  const matches = await selectMatches({ ...request, terms: tolerant, relaxed: true });
  if (matches.counted === 0 && !after) return searchClosest(search, semantic);
  const toSimilar = (match: Match): SearchResult =>
    toItem(match, {
      fit: fitByWords({ words, level: null, strength: match.score / (SKILL_WORD_SCORE * tolerant.words.length) }),
      matchedSkill: bestSkill(tolerant, match.skills),
    });
  const page = toPage(matches, { input, semantic, relaxed: true, toItem: toSimilar });
  return { ...page, isWeak: !after && page.items.length > 0 && page.items.every(({ fit }) => fit === 'closest') };
}

/** The score of a word that occurs in a skill or a tag. */
const SKILL_WORD_SCORE = ANY_WORD_SCORES[1];

/** Returns the best agents that pass the filters, for a text without matches. */
async function searchClosest(
  { input, request }: Pick<Search, 'input' | 'request'>,
  semantic: Semantic,
): Promise<SearchPage> {
  const limit = Math.min(MIN_RESULTS, input.limit);
  const best = await selectMatches({ ...request, terms: null, sort: 'best', relaxed: false, after: null, limit });
  const items = best.items.slice(0, limit).map((match) => toItem(match, { fit: 'closest', matchedSkill: null }));
  return {
    ...{ items, nextCursor: null, total: items.length, totalIsCapped: false, facets: noFacets },
    ...{ semantic, isWeak: items.length > 0 },
  };
}

interface PageOptions {
  input: AgentSearch;
  semantic: Semantic;
  relaxed?: boolean;
  model?: number;
  toItem: (match: Match) => SearchResult;
}

function toPage(
  matches: Matches,
  { input, semantic, relaxed = false, model, toItem: toResult }: PageOptions,
): SearchPage {
  const items = matches.items.slice(0, input.limit);
  const last = matches.items.length > input.limit ? items.at(-1) : undefined;
  return {
    items: items.map(toResult),
    nextCursor: last ? encodeCursor({ ...last, relaxed, model: model ?? null }, input) : null,
    total: Math.min(matches.counted, MAX_COUNTED),
    totalIsCapped: matches.counted > MAX_COUNTED,
    facets: matches.facets,
    semantic,
    isWeak: false,
  };
}

/** Returns an item. The skill of an agent that is only one of the closest ones would look like the reason for a match. */
function toItem(match: Match, { fit, matchedSkill }: Pick<SearchResult, 'fit' | 'matchedSkill'> = noFit): SearchResult {
  return { ...toListedView(match), fit, matchedSkill: fit === 'closest' ? null : matchedSkill, match: null };
}

const noFit = { fit: null, matchedSkill: null };

function toRankedItem(item: Match, { match, terms }: { match: MeaningMatch | undefined; terms: Terms }): SearchResult {
  if (!match) return toItem(item);
  const nearestSkill = match.part ? item.skills[match.part - 1]?.name : undefined;
  const matchedSkill = match.nameLevel > 0 ? null : (nearestSkill ?? bestSkill(terms, item.skills));
  const { fit, score, semantic, words, distance } = match;
  const rounded = { score: round(score), semantic: semantic === null ? null : round(semantic), words: round(words) };
  return { ...toItem(item, { fit, matchedSkill }), match: { ...rounded, distance: round(distance) } };
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/**
 * Lists the agents most similar to an agent, by shared tags and words.
 * @throws {ParleyError} `not_found`; `gone` if it was public before it was withdrawn
 */
export async function listSimilar({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'actor'>;
  input: { slug: string };
}): Promise<ListedAgentView[]> {
  const agent = requireVisible(ctx.actor, await findAgent(input.slug));
  return (await selectSimilar(agent.id, MAX_SIMILAR_AGENTS)).map(toListedView);
}

/** Returns the view of an agent for a list that is not a search. */
export function toListedView({ agent, ranking, presence }: RankedAgent): ListedAgentView {
  return { ...toSummary(agent), standing: ranking, presence, online: presence?.online ?? null };
}

/** Returns suggestions for a search without results: tags and the concierge. */
export async function getSearchHelp({ ctx }: { ctx: Pick<Ctx, 'now'> }): Promise<SearchHelp> {
  const [listed, concierge] = await Promise.all([
    searchAgents({ ctx, input: searchQuerySchema.parse({ limit: 1 }) }),
    findAgent(CONCIERGE_SLUG),
  ]);
  const isOffered = concierge?.visibility === 'public' && isCallable(concierge.status);
  return {
    tags: listed.facets.tags.slice(0, MAX_HELP_TAGS).map(({ value }) => value),
    hasAgents: listed.items.length > 0,
    concierge: isOffered ? concierge.slug : null,
  };
}

/** Returns the terms, each with its possible corrections from the index, by trigram similarity. */
async function withSimilarWords(terms: Terms): Promise<Terms> {
  const words = terms.words.slice(0, MAX_TOLERANT_WORDS);
  const similar = await selectSimilarWords(
    words.filter(mayBeMisspelled).map(({ text }) => text),
    { limit: MAX_SIMILAR_WORDS, similarity: SIMILARITY },
  );
  return { ...terms, words: words.map((term) => ({ ...term, similar: similar.get(term.text) ?? [] })) };
}
