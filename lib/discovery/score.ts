import type { CoreCard } from '../protocol/a2a/core/card';
import type { EscalationStage, Health, MissingField, ScoreKey, ScorePart } from './schema';

/** Everything that the score of an agent is computed from; windows are those of {@link windows}. */
export interface ScoreInput {
  health: Health;
  rung: EscalationStage;
  /** Probes, and how many of them were good. */
  checks: number;
  good: number;
  p50Ms: number | null;
  p95Ms: number | null;
  users: number;
  calls: number;
  /** Tasks that were completed, and those that failed. */
  completed: number;
  failed: number;
  reviews: number;
  stars: number;
  isVerified: boolean;
  card: CoreCard;
  isSigned: boolean;
}

/** Days that count: for probes and use, and for latency. */
export const windows = { days: 30, latencyDays: 7 } as const;

/** What each part adds at most; together 100. The page on ranking shows the same. */
export const weights: Record<ScoreKey, number> = {
  reliability: 30,
  use: 20,
  reviews: 15,
  owner: 10,
  card: 15,
  speed: 10,
};

/** Users from which on more of them add nothing. */
const maxCountedUsers = 100;
/** An agent with few reviews is judged as if it had so many more of so many stars. */
const bayesianPrior = { reviews: 5, stars: 3.5 };
/** Answers as quick as this add all, as slow as that nothing; between them each doubling costs the same. */
const fastMs = 300;
const slowMs = 10_000;
/** Probes before which nothing can be said. */
const minChecks = 3;
const minDescriptionLength = 80;

/** The parts of the score of an agent, in the order in which they are shown. */
export function scoreParts(input: ScoreInput): ScorePart[] {
  const gaps = missingFields(input);
  return [
    toPart('reliability', reliabilityOf(input)),
    toPart('use', popularityOf(input)),
    toPart('reviews', input.reviews === 0 ? null : (bayesianRating(input) - 1) / 4),
    toPart('owner', input.isVerified ? 1 : 0),
    { ...toPart('card', 1 - gaps.length / fieldCount), missing: gaps },
    toPart('speed', speedOf(input)),
  ];
}

/** The score that follows from its parts, 0 to 100. */
export function totalOf(parts: ScorePart[]): number {
  return Math.round(parts.reduce((sum, { points }) => sum + points, 0));
}

/** The mean of the stars, drawn to the middle while reviews are few, so that one friend's five stars do not win. */
export function bayesianRating({ reviews, stars }: Pick<ScoreInput, 'reviews' | 'stars'>): number {
  return (stars + bayesianPrior.reviews * bayesianPrior.stars) / (reviews + bayesianPrior.reviews);
}

/** Null: nothing is known, and the middle counts. */
function toPart(key: ScoreKey, known: number | null): ScorePart {
  const weight = weights[key];
  const value = Math.round(Math.min(1, Math.max(0, known ?? 0.5)) * 1000) / 1000;
  return { key, value, weight, points: Math.round(value * weight * 10) / 10, isAssumed: known === null };
}

/** The share of good probes; nothing while it is down, half while it is degraded. */
function reliabilityOf({ health, checks, good }: ScoreInput): number | null {
  if (health === 'down') return 0;
  if (checks < minChecks) return null;
  return (good / checks) * (health === 'degraded' ? 0.5 : 1);
}

/** Each doubling of its users adds the same, as far as what it is asked for gets done. */
function popularityOf({ users, completed, failed }: ScoreInput): number {
  const success = completed + failed === 0 ? 1 : completed / (completed + failed);
  return Math.min(1, Math.log2(1 + users) / Math.log2(1 + maxCountedUsers)) * success;
}

function speedOf({ health, p50Ms }: ScoreInput): number | null {
  if (health === 'down') return 0;
  if (p50Ms === null) return null;
  return 1 - Math.log2(Math.max(p50Ms, fastMs) / fastMs) / Math.log2(slowMs / fastMs);
}

const missingFieldTests: Record<MissingField, (input: ScoreInput) => boolean> = {
  description: ({ card }) => card.description.trim().length < minDescriptionLength,
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
