import type { ScoreKey } from '../schema-rankings';

// The score, 0 to 100

/** Maximum points of each part of the score; together 100. */
export const SCORE_WEIGHTS: Record<ScoreKey, number> = {
  reliability: 30,
  use: 20,
  reviews: 15,
  owner: 10,
  card: 15,
  speed: 10,
};

/** Number of days that count for probes and use, and for latency. */
export const SCORE_WINDOW_DAYS = 30;
export const LATENCY_WINDOW_DAYS = 7;
/** Minimum probes for a known reliability. */
export const MIN_CHECKS = 3;
/** Reliability of a degraded agent, as a factor. */
export const DEGRADED_FACTOR = 0.5;
/** The value of a part that is unknown. */
export const UNKNOWN_PART_VALUE = 0.5;
/** Maximum users that increase the score. */
export const MAX_COUNTED_USERS = 100;
/** Prior of the Bayesian rating: equivalent to this number of additional reviews with this number of stars. */
export const RATING_PRIOR = { reviews: 5, stars: 3.5 };
/**
 * Median latency with full points, and with none, milliseconds. Between them, each doubling reduces the points equally.
 */
export const FAST_MS = 300;
export const SLOW_MS = 10_000;
/** Minimum characters of a card's description. A shorter one counts as missing. */
export const MIN_DESCRIPTION_LENGTH = 80;
/** Added to the rank of an agent under maintenance, so that it is below every score and every match. */
export const MAINTENANCE_PENALTY = -100_000;

// The order by relevance

/** The weight of one match level. The score is at most 100. */
export const MATCH_LEVEL_STEP = 200;
/** Match level of all words: exact name 5, name prefix 4, words of the name 3, name, skills and tags 2, anywhere 1. */
export const NAME_MATCH_LEVEL = 3;
/**
 * Match scores of a single word: the exact word in name, in skills and tags, anywhere; then similar words in the same
 * fields.
 */
export const ANY_WORD_SCORES = [40, 30, 20, 18, 14, 10] as const;

// The order by meaning: score = cosine + WORDS_WEIGHT · coverage + STANDING_WEIGHT · standing / 100

/** Weight of the share of words that occur. Values between 0.1 and 0.5 give similar results. */
export const WORDS_WEIGHT = 0.25;
/** Number of a text's rarest words that are required for full coverage. */
export const COVERED_WORDS = 5;
/** Weight of the standing, which only breaks near-ties. */
export const STANDING_WEIGHT = 0.02;
/** The weights of a word in the name, in skills and tags, and anywhere. */
export const PLACE_WEIGHTS = { 'n:': 1, 's:': 0.85, '': 0.6 } as const;
/** The weight of a corrected word. */
export const CORRECTED_WEIGHT = 0.8;
/** The assumed cosine of an agent without vectors. */
export const ASSUMED_COSINE = 0.3;
/** Minimum score of a matching agent. */
export const FITTING_SCORE = 0.45;
/** Sort keys per unit of the score. */
export const SCORE_STEPS = 1_000_000;
/** Added to the score of an agent under maintenance, so that it is below every other agent. */
export const MAINTENANCE_SCORE = -10;

// Saved searches

/** Minimum share of the query's words from which a match counts regardless of its meaning. */
export const FITTING_WORDS = 0.5;

// Similar agents

/** The weight of a shared tag relative to a shared word, and the minimum sum of both. */
export const SHARED_TAG_WEIGHT = 3;
export const MIN_SHARED = 2;
