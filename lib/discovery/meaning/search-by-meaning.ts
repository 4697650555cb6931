import {
  findNearest,
  type NearestPart,
  type NotCompared,
  nearestByAgent,
  nearestPartsOf,
  sampleCosines,
} from '../../embeddings';
import { translateToEnglish } from '../languages/to-english';
import { MAX_COMPARED_MATCHES, MAX_COUNTED, MAX_NEAREST_PARTS, MIN_RESULTS } from '../limits';
import { distanceFrom, fitByMeaning } from '../ranking/fit';
import { ASSUMED_COSINE, COVERED_WORDS, MAINTENANCE_SCORE, STANDING_WEIGHT, WORDS_WEIGHT } from '../ranking/score';
import type { Fit } from '../schema';
import { conditionOf, type SearchRequest } from '../store/search-sql';
import { selectWeights, selectWordMatches, type WeighedWord, type WordMatch } from '../store/word-index';
import { type Terms, termsOf } from '../terms';
import { correctText, weighWords } from './weigh-words';

/** An agent that was found, with the components of its score. */
export interface MeaningMatch {
  agentId: string;
  /** Cosine of the nearest part; null for an agent whose meaning was not compared. */
  semantic: number | null;
  /** The part with that cosine: 0 is the card, k its k-th skill. */
  part: number | null;
  /** Weighted share of the words that occur, 0 to 1. */
  words: number;
  score: number;
  /**
   * 2 if the text is the agent's name, 1 if the name starts with it, otherwise 0. Takes precedence over every score.
   */
  nameLevel: number;
  fit: Fit;
  /** See {@link distanceFrom}. */
  distance: number;
}

export interface MeaningResult {
  model: number;
  /** Best first, at most {@link MAX_COUNTED}. */
  matches: MeaningMatch[];
  isWeak: boolean;
}

export interface MeaningSearch {
  q: string;
  terms: Terms;
  request: SearchRequest;
  isTyping: boolean;
  /** The model that the first page used; null for the first page itself. */
  model: number | null;
}

/** Ranks agents by meaning and words. Returns a {@link NotCompared} if meanings cannot be compared. */
export async function searchByMeaning(search: MeaningSearch): Promise<MeaningResult | NotCompared> {
  const { q, terms, request, model } = search;
  const words = await weighWords(terms, search.isTyping);
  const where = conditionOf(request);
  const wordings = [words, ...(await translatedWords(q))];
  const [nearest, ...byWords] = await Promise.all([
    findNearest({
      text: q,
      translate: translateToEnglish,
      correct: (text) => correctText(text, words),
      model,
      where: where.isBase ? null : where,
      limit: MAX_NEAREST_PARTS,
    }),
    ...wordings.map((each) => selectWordMatches(each, { key: terms.key, where })),
  ]);
  if (typeof nearest === 'string') return nearest;
  const parts = new Map(nearestByAgent(nearest.parts).map((part) => [part.agentId, part]));
  const [shares, compared, sample] = await Promise.all([
    sharesOf(wordings, byWords, parts),
    nearestPartsOf(notCompared(byWords.flat(), parts), nearest),
    sampleCosines(nearest),
  ]);
  for (const part of compared) parts.set(part.agentId, part);
  const ranked = rank(
    shares.map((share) => ({ ...share, part: parts.get(share.agentId) })),
    distanceFrom(sample),
  );
  const fitting = ranked.filter(({ fit }) => fit !== 'closest');
  const closest = ranked.filter(({ fit }) => fit === 'closest').slice(0, Math.max(0, MIN_RESULTS - fitting.length));
  return {
    model: nearest.model,
    matches: [...fitting, ...closest].slice(0, MAX_COUNTED),
    isWeak: fitting.length === 0,
  };
}

/** Returns the words of the text's translation into English, if it has one: most cards are in English. */
async function translatedWords(q: string): Promise<WeighedWord[][]> {
  const english = translateToEnglish(q);
  const terms = english === null || english === q ? null : termsOf(english);
  return terms ? [await weighWords(terms, false)] : [];
}

/** The words that an agent contains: those of the text or of its translation, whichever match more. */
interface WordShare extends Pick<WordMatch, 'agentId' | 'rank' | 'nameLevel'> {
  /** Weighted share of the words, 0 to 1. */
  words: number;
  hasAllWords: boolean;
}

/** Returns the words of all agents that match by a word or by meaning. */
async function sharesOf(
  wordings: WeighedWord[][],
  byWords: WordMatch[][],
  parts: Map<string, NearestPart>,
): Promise<WordShare[]> {
  const agentIds = [...new Set([...parts.keys(), ...byWords.flat().map(({ agentId }) => agentId)])];
  const shares = new Map<string, WordShare>();
  for (const [at, words] of wordings.entries()) {
    const known = byWords[at] ?? [];
    const isKnown = new Set(known.map(({ agentId }) => agentId));
    const others = await selectWeights(
      words,
      agentIds.filter((agentId) => !isKnown.has(agentId)),
    );
    const total = totalOf(words);
    for (const { agentId, rank, nameLevel, weight, words: count } of [...known, ...others]) {
      const other = shares.get(agentId);
      shares.set(agentId, {
        agentId,
        rank,
        nameLevel: Math.max(nameLevel, other?.nameLevel ?? 0),
        words: Math.max(total === 0 ? 0 : Math.min(1, weight / total), other?.words ?? 0),
        hasAllWords: count === words.length || (other?.hasAllWords ?? false),
      });
    }
  }
  return [...shares.values()];
}

/** Returns the total weight of the words. Cards contain few words of a long text, so only the rarest words count. */
function totalOf(words: WeighedWord[]): number {
  const weights = words.map(({ idf }) => idf).sort((a, b) => b - a);
  return weights.slice(0, COVERED_WORDS).reduce((sum, idf) => sum + idf, 0);
}

/** Returns the best matches by words that are not among the nearest. */
function notCompared(byWords: WordMatch[], parts: Map<string, NearestPart>): string[] {
  const best = byWords
    .filter(({ agentId }) => !parts.has(agentId))
    .sort((a, b) => b.nameLevel - a.nameLevel || b.weight - a.weight || b.rank - a.rank)
    .map(({ agentId }) => agentId);
  return [...new Set(best)].slice(0, MAX_COMPARED_MATCHES);
}

/** Returns the matches with their scores, best first. */
function rank(
  shares: (WordShare & { part: NearestPart | undefined })[],
  distanceOf: (agentId: string, relevance: number) => number,
): MeaningMatch[] {
  const measured = shares.map((share) => ({
    ...share,
    relevance: (share.part?.cosine ?? ASSUMED_COSINE) + WORDS_WEIGHT * share.words,
  }));
  const best = measured.reduce((most, { relevance }) => Math.max(most, relevance), 0);
  return measured
    .map(({ agentId, part, words, hasAllWords, nameLevel, rank, relevance }) => {
      const distance = distanceOf(agentId, relevance);
      const fit = fitByMeaning({ relevance, words, distance, hasAllWords, isNamed: nameLevel > 0 }, best);
      const standing = rank < 0 ? MAINTENANCE_SCORE : (STANDING_WEIGHT * rank) / 100;
      const place = { semantic: part?.cosine ?? null, part: part?.part ?? null };
      return { agentId, ...place, words, nameLevel, distance, fit, score: relevance + standing };
    })
    .sort((a, b) => b.nameLevel - a.nameLevel || b.score - a.score || (a.agentId < b.agentId ? 1 : -1));
}
