import { findNearest, type NearestPart, type NotCompared, nearestByAgent, nearestPartsOf } from '../../embeddings';
import { translateToEnglish } from '../languages/to-english';
import { MAX_COMPARED_MATCHES, MAX_COUNTED, MAX_NEAREST_PARTS, MIN_RESULTS } from '../limits';
import {
  ASSUMED_COSINE,
  COVERED_WORDS,
  FITTING_SCORE,
  MAINTENANCE_SCORE,
  STANDING_WEIGHT,
  WORDS_WEIGHT,
} from '../ranking/score';
import { conditionOf, type SearchRequest } from '../store/search-sql';
import { selectWeights, selectWordMatches, type WeighedWord, type WordMatch } from '../store/word-matches';
import type { Terms } from '../terms/terms';
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
  const correct = (text: string): string => correctText(text, words);
  const [nearest, byWords] = await Promise.all([
    findNearest({
      text: q,
      translate: translateToEnglish,
      correct,
      model,
      where: where.isBase ? null : where,
      limit: MAX_NEAREST_PARTS,
    }),
    selectWordMatches(words, { key: terms.key, where }),
  ]);
  if (typeof nearest === 'string') return nearest;
  const parts = new Map(nearestByAgent(nearest.parts).map((part) => [part.agentId, part]));
  const known = new Set(byWords.map(({ agentId }) => agentId));
  const [byMeaningOnly, compared] = await Promise.all([
    selectWeights(
      words,
      [...parts.keys()].filter((agentId) => !known.has(agentId)),
    ),
    nearestPartsOf(notCompared(byWords, parts), nearest),
  ]);
  for (const part of compared) parts.set(part.agentId, part);
  const total = totalOf(words);
  const ranked = [...byWords, ...byMeaningOnly]
    .map((match) => ({
      ...toMatch(match, { part: parts.get(match.agentId), total }),
      hasAllWords: match.words === words.length,
    }))
    .sort((a, b) => b.nameLevel - a.nameLevel || b.score - a.score || (a.agentId < b.agentId ? 1 : -1));
  const fits = (match: (typeof ranked)[number]): boolean =>
    match.hasAllWords || match.nameLevel > 0 || match.score >= FITTING_SCORE;
  const fitting = ranked.filter(fits);
  const closest = ranked.filter((match) => !fits(match)).slice(0, Math.max(0, MIN_RESULTS - fitting.length));
  return {
    model: nearest.model,
    matches: [...fitting, ...closest].slice(0, MAX_COUNTED),
    isWeak: fitting.length === 0,
  };
}

/** Returns the total weight of the words. Cards contain few words of a long text, so only the rarest words count. */
function totalOf(words: WeighedWord[]): number {
  const weights = words.map(({ idf }) => idf).sort((a, b) => b - a);
  return weights.slice(0, COVERED_WORDS).reduce((sum, idf) => sum + idf, 0);
}

/** Returns the best matches by words that are not among the nearest. */
function notCompared(byWords: WordMatch[], parts: Map<string, NearestPart>): string[] {
  return byWords
    .filter(({ agentId }) => !parts.has(agentId))
    .sort((a, b) => b.nameLevel - a.nameLevel || b.weight - a.weight || b.rank - a.rank)
    .slice(0, MAX_COMPARED_MATCHES)
    .map(({ agentId }) => agentId);
}

function toMatch(
  { agentId, rank, weight, nameLevel }: WordMatch,
  { part, total }: { part: NearestPart | undefined; total: number },
): MeaningMatch {
  const words = total === 0 ? 0 : Math.min(1, weight / total);
  const standing = rank < 0 ? MAINTENANCE_SCORE : (STANDING_WEIGHT * rank) / 100;
  return {
    agentId,
    semantic: part?.cosine ?? null,
    part: part?.part ?? null,
    words,
    score: (part?.cosine ?? ASSUMED_COSINE) + WORDS_WEIGHT * words + standing,
    nameLevel,
  };
}
