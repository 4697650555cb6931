import type { Fit } from '../schema';

// How well a result fits its search. The thresholds are those with which most relevant first results of the tuning
// searches count as fitting, while at least 96 % of the fitting first results are relevant and at most one out-of-scope
// task fits. tests/contract/search-fit.nightly.test.ts computes them again and measures them on the held-out searches.

/** Minimum relevance and distance of a result that fits. */
export const FITS = { relevance: 0.56, distance: 3.7 };
/**
 * Minimum relevance and distance of a result that might fit: at least 90 % of the relevant first results reach both.
 */
export const MIGHT_FIT = { relevance: 0.44, distance: 3.2 };
/**
 * Minimum relevance of a result that fits at any distance. In a catalog whose agents all have one topic, every distance
 * is small.
 */
export const FITS_AT_ANY_DISTANCE = 0.76;
/** Minimum relevance of a result that might fit at any distance. */
export const MIGHT_FIT_AT_ANY_DISTANCE = 0.6;
/** Maximum difference to the best relevance at which further results fit too. */
const MAX_BEHIND_BEST = 0.05;

/**
 * The usual cosines of a search text and an unrelated agent. They count as this number of measured ones, so that a
 * distance can be computed in a small catalog too.
 */
const USUAL = { parts: 60, mean: 0.17, deviation: 0.09 };

/** The cosine of a part of an agent of the catalog with the search text. */
export interface SampledCosine {
  agentId: string;
  cosine: number;
}

interface Sums {
  parts: number;
  sum: number;
  squares: number;
}

/**
 * Returns a function that measures the distance of an agent's relevance from the cosines of a sample of the catalog, in
 * their standard deviations. The agent's own parts do not count. A text that resembles no agent in particular, such as
 * a general one, has no result with a large distance.
 */
export function distanceFrom(sample: SampledCosine[]): (agentId: string, relevance: number) => number {
  const all = sumsOf(sample.map(({ cosine }) => cosine));
  const byAgent = new Map<string, number[]>();
  for (const { agentId, cosine } of sample) byAgent.set(agentId, [...(byAgent.get(agentId) ?? []), cosine]);
  return (agentId, relevance) => {
    const own = sumsOf(byAgent.get(agentId) ?? []);
    const parts = all.parts - own.parts + USUAL.parts;
    const mean = (all.sum - own.sum + USUAL.parts * USUAL.mean) / parts;
    const usualSquares = USUAL.parts * (USUAL.mean ** 2 + USUAL.deviation ** 2);
    const variance = (all.squares - own.squares + usualSquares) / parts - mean ** 2;
    return (relevance - mean) / Math.sqrt(variance);
  };
}

function sumsOf(cosines: number[]): Sums {
  return {
    parts: cosines.length,
    sum: cosines.reduce((sum, cosine) => sum + cosine, 0),
    squares: cosines.reduce((sum, cosine) => sum + cosine ** 2, 0),
  };
}

/**
 * Minimum share of the words of a result that fits at any distance, with the relevance of {@link FITS}. In the
 * evaluation, every first result that reaches both is relevant.
 */
export const FITTING_WORDS = 0.5;

/** The evidence from which the fit of a result of a search by meaning is determined. */
export interface MeaningEvidence {
  /** Cosine plus the weighted share of words, without the ranking. */
  relevance: number;
  /** Weighted share of the words that occur. */
  words: number;
  /** See {@link distanceFrom}. */
  distance: number;
  /** True if the agent contains every word. */
  hasAllWords: boolean;
  /** True if the search text is the agent's name or its beginning. */
  isNamed: boolean;
}

/** Returns the fit of a result of a search by meaning. `best` is the largest relevance of all results. */
export function fitByMeaning(evidence: MeaningEvidence, best: number): Fit {
  const { relevance, words, distance, hasAllWords, isNamed } = evidence;
  if (isNamed) return 'fits';
  const isNearBest = hasAllWords || relevance >= best - MAX_BEHIND_BEST;
  const reaches = (least: typeof FITS): boolean => relevance >= least.relevance && distance >= least.distance;
  const hasManyWords = words >= FITTING_WORDS && relevance >= FITS.relevance;
  if (isNearBest && (relevance >= FITS_AT_ANY_DISTANCE || hasManyWords || reaches(FITS))) return 'fits';
  if (hasAllWords || relevance >= MIGHT_FIT_AT_ANY_DISTANCE || reaches(MIGHT_FIT)) return 'might_fit';
  return 'closest';
}

/** Minimum match level of a single word that fits: in the name, in a skill or in a tag. */
const FITTING_LEVEL = 2;
/** Minimum strength of a result that fits, or might fit, although it does not contain every word as written. */
const FITTING_STRENGTH = 0.7;
const POSSIBLE_STRENGTH = 0.4;

/** The evidence from which the fit of a result of a search by words is determined. */
export interface WordEvidence {
  /** Number of words of the search. */
  words: number;
  /** Match level of an agent that contains every word, 1 to 5; null for a tolerant match. */
  level: number | null;
  /** The sum of the scores of a tolerant match's words, relative to the score of all words as skills; 0 to about 1.3. */
  strength: number;
}

/**
 * Returns the fit of a result of a search by words. A single word somewhere in a description proves little, and so does
 * one of several words.
 */
export function fitByWords({ words, level, strength }: WordEvidence): Fit {
  if (level !== null) return level >= FITTING_LEVEL || words > 1 ? 'fits' : 'might_fit';
  if (words > 1 && strength >= FITTING_STRENGTH) return 'fits';
  return strength >= POSSIBLE_STRENGTH ? 'might_fit' : 'closest';
}
