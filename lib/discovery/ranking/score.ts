import type { CoreCard } from '../../protocol/a2a/core/card';
import type { EscalationStage, Health, MissingField, ScoreKey, ScorePart } from '../schema-rankings';

// The score, 0 to 100

/** Maximum points of each part of the score, with a total of 100. */
export const SCORE_WEIGHTS: Record<ScoreKey, number> = {
  reliability: 30,
  use: 20,
  reviews: 15,
  owner: 10,
  card: 15,
  speed: 10,
};

/** Number of days whose probes and use count for the score. */
export const SCORE_WINDOW_DAYS = 30;
/** Number of days whose latencies count for the score. */
export const LATENCY_WINDOW_DAYS = 7;
/** Minimum probes for the reliability to be known. */
const MIN_CHECKS = 3;
/** Reliability of a degraded agent, as a factor. */
const DEGRADED_FACTOR = 0.5;
/** The value of a part that is unknown. */
const UNKNOWN_PART_VALUE = 0.5;
/** Maximum users that increase the score. */
const MAX_COUNTED_USERS = 100;
/** Prior of the Bayesian rating: equivalent to this number of additional reviews with this number of stars. */
const RATING_PRIOR = { reviews: 5, stars: 3.5 };
/**
 * Median latency with full points, and with none, milliseconds. Between them, each doubling reduces the points equally.
 */
const FAST_MS = 300;
const SLOW_MS = 10_000;
/** Minimum characters of a card's description, trimmed. A shorter one counts as missing, also in the console. */
export const MIN_DESCRIPTION_LENGTH = 80;
/** Added to the rank of an agent under maintenance, so that it ranks below every score and every match. */
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
/** Sort keys per unit of the score. */
export const SCORE_STEPS = 1_000_000;
/** Added to the score of an agent under maintenance, so that it ranks below every other agent. */
export const MAINTENANCE_SCORE = -10;

// Similar agents

/** The weight of a shared tag relative to a shared word in the list of similar agents. */
export const SHARED_TAG_WEIGHT = 3;
/** Minimum sum of the weights of shared tags and words of a similar agent. */
export const MIN_SHARED = 2;

/** The data from which an agent's score is computed, over {@link SCORE_WINDOW_DAYS} and {@link LATENCY_WINDOW_DAYS}. */
export interface ScoreInput {
  health: Health;
  stage: EscalationStage;
  /** Probes, and successful ones. */
  checks: number;
  good: number;
  p50Ms: number | null;
  p95Ms: number | null;
  users: number;
  calls: number;
  /** Completed and failed tasks. */
  completed: number;
  failed: number;
  reviews: number;
  stars: number;
  isVerified: boolean;
  card: CoreCard;
  isSigned: boolean;
}

/** Returns the parts of an agent's score, in display order. */
export function scoreParts(input: ScoreInput): ScorePart[] {
  const missing = missingFields(input);
  return [
    toPart('reliability', reliabilityOf(input)),
    toPart('use', popularityOf(input)),
    toPart('reviews', input.reviews === 0 ? null : (bayesianRating(input) - 1) / 4),
    toPart('owner', input.isVerified ? 1 : 0),
    { ...toPart('card', 1 - missing.length / fieldCount), missing },
    toPart('speed', speedOf(input)),
  ];
}

/** Returns the sum of the parts, 0 to 100. */
export function totalOf(parts: ScorePart[]): number {
  return Math.round(parts.reduce((sum, { points }) => sum + points, 0));
}

/** Returns the Bayesian mean of the stars, so that a few reviews do not outrank many. */
export function bayesianRating({ reviews, stars }: Pick<ScoreInput, 'reviews' | 'stars'>): number {
  return (stars + RATING_PRIOR.reviews * RATING_PRIOR.stars) / (reviews + RATING_PRIOR.reviews);
}

/** Returns a part with its points; null means unknown. */
function toPart(key: ScoreKey, known: number | null): ScorePart {
  const weight = SCORE_WEIGHTS[key];
  const value = Math.round(Math.min(1, Math.max(0, known ?? UNKNOWN_PART_VALUE)) * 1000) / 1000;
  return { key, value, weight, points: Math.round(value * weight * 10) / 10, isAssumed: known === null };
}

/** Returns the share of successful probes; 0 while the agent is down, reduced while it is degraded. */
function reliabilityOf({ health, checks, good }: ScoreInput): number | null {
  if (health === 'down') return 0;
  if (checks < MIN_CHECKS) return null;
  return (good / checks) * (health === 'degraded' ? DEGRADED_FACTOR : 1);
}

/** Returns the logarithm of the number of users, multiplied by the share of completed tasks. */
function popularityOf({ users, completed, failed }: ScoreInput): number {
  const success = completed + failed === 0 ? 1 : completed / (completed + failed);
  return Math.min(1, Math.log2(1 + users) / Math.log2(1 + MAX_COUNTED_USERS)) * success;
}

function speedOf({ health, p50Ms }: ScoreInput): number | null {
  if (health === 'down') return 0;
  if (p50Ms === null) return null;
  return 1 - Math.log2(Math.max(p50Ms, FAST_MS) / FAST_MS) / Math.log2(SLOW_MS / FAST_MS);
}

const missingFieldTests: Record<MissingField, (input: ScoreInput) => boolean> = {
  description: ({ card }) => card.description.trim().length < MIN_DESCRIPTION_LENGTH,
  skills: ({ card }) => card.skills.length === 0 || card.skills.some(({ description }) => description.trim() === ''),
  examples: ({ card }) => card.skills.length === 0 || card.skills.some(({ examples }) => examples.length === 0),
  tags: ({ card }) => card.skills.length === 0 || card.skills.some(({ tags }) => tags.length === 0),
  documentation: ({ card }) => card.documentationUrl === null,
  provider: ({ card }) => card.provider === null,
  signature: ({ isSigned }) => !isSigned,
};
const fieldKeys = Object.keys(missingFieldTests) as MissingField[];
const fieldCount = fieldKeys.length;

function missingFields(input: ScoreInput): MissingField[] {
  return fieldKeys.filter((key) => missingFieldTests[key](input));
}
