import { findAgent, requireVisible, toSummary } from '../catalog';
import { normalizeTag } from '../catalog/schema-registration';
import type { Ctx } from '../platform/context';
import { MAX_COUNTED, MAX_SIMILAR_AGENTS } from './limits';
import { NAME_MATCH_LEVEL } from './ranking-weights';
import type { AgentSearch, SearchPage, SearchResult } from './schema';
import type { ListedAgentView } from './schema-rankings';
import { decodeCursor, encodeCursor } from './search-cursor';
import type { SearchRequest } from './search-sql';
import { type Match, type Matches, noFacets, selectMatches, selectSimilar } from './store/search';
import type { RankedAgent } from './store/summary-row';
import { bestSkill, type Terms, termsOf } from './terms';
import { withSimilarWords } from './typo-tolerance';

const noMatches: Matches = { items: [], counted: 0, facets: noFacets };

/**
 * Searches public agents by name, skills, tags, examples and description: first for all words, the last one also as a
 * prefix; without a match, tolerantly for any word or a similar one.
 * @throws {ParleyError} `invalid_request` for a cursor of another search
 */
export async function searchAgents({ ctx, input }: { ctx: Pick<Ctx, 'now'>; input: AgentSearch }): Promise<SearchPage> {
  const after = input.cursor === undefined ? null : decodeCursor(input.cursor, input);
  const terms = termsOf(input.q);
  if (!terms && input.q !== '') return toPage(noMatches, { input, terms, relaxed: false });
  const { health, price, presence, publisher, rating, updated, limit } = input;
  const request: SearchRequest = {
    ...{ health, price, presence, publisher, rating, updated, limit },
    tags: input.tag.map(normalizeTag),
    anyTag: input.anyTag?.map(normalizeTag),
    skill: input.skill,
    capabilities: input.capability,
    terms,
    // Without words all matches are equally relevant, so they are ordered by score.
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
  { input, terms }: { input: AgentSearch; terms: Terms },
): Promise<SearchPage> {
  const tolerant = await withSimilarWords(terms);
  const matches = await selectMatches({ ...request, terms: tolerant, relaxed: true });
  return toPage(matches, { input, terms: tolerant, relaxed: true });
}

interface Search {
  input: AgentSearch;
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
    semantic: 'off',
    isWeak: false,
  };
}

function toResult({ score, skills, ...listed }: Match, { terms, relaxed }: Search): SearchResult {
  const byName = !relaxed && score >= NAME_MATCH_LEVEL;
  return { ...toListedView(listed), matchedSkill: terms && !byName ? bestSkill(terms, skills) : null, match: null };
}

/**
 * The agents most similar to an agent, by shared tags and words.
 * @throws {ParleyError} `not_found`; `gone` when it was public once and is withdrawn
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

/** An agent in a list that is not a search. */
export function toListedView({ agent, ranking, presence }: RankedAgent): ListedAgentView {
  return { ...toSummary(agent), standing: ranking, presence, online: presence?.online ?? null };
}
