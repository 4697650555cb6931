import type { CoreCard } from '../../protocol/a2a/core/card';
import type { EscalationStage, Health, MissingField, ScoreKey, ScorePart } from '../schema-rankings';
import {
  DEGRADED_FACTOR,
  FAST_MS,
  MAX_COUNTED_USERS,
  MIN_CHECKS,
  MIN_DESCRIPTION_LENGTH,
  RATING_PRIOR,
  SCORE_WEIGHTS,
  SLOW_MS,
  UNKNOWN_PART_VALUE,
} from './ranking-weights';

/** The data from which an agent's score is computed, over the windows of ranking-weights.ts. */
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

/** The parts of an agent's score, in display order. */
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

/** The sum of the parts, 0 to 100. */
export function totalOf(parts: ScorePart[]): number {
  return Math.round(parts.reduce((sum, { points }) => sum + points, 0));
}

/** The Bayesian mean of the stars, so that a few reviews do not outrank many. */
export function bayesianRating({ reviews, stars }: Pick<ScoreInput, 'reviews' | 'stars'>): number {
  return (stars + RATING_PRIOR.reviews * RATING_PRIOR.stars) / (reviews + RATING_PRIOR.reviews);
}

/** A part with its points; null means unknown. */
function toPart(key: ScoreKey, known: number | null): ScorePart {
  const weight = SCORE_WEIGHTS[key];
  const value = Math.round(Math.min(1, Math.max(0, known ?? UNKNOWN_PART_VALUE)) * 1000) / 1000;
  return { key, value, weight, points: Math.round(value * weight * 10) / 10, isAssumed: known === null };
}

/** The share of successful probes; 0 while the agent is down, reduced while it is degraded. */
function reliabilityOf({ health, checks, good }: ScoreInput): number | null {
  if (health === 'down') return 0;
  if (checks < MIN_CHECKS) return null;
  return (good / checks) * (health === 'degraded' ? DEGRADED_FACTOR : 1);
}

/** Logarithmic in the number of users, times the share of completed tasks. */
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
