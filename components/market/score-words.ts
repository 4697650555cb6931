import type { CardGap, ScoreKey, ScorePart, StandingView } from '@/lib/discovery/schema';
import { durationText, shareText } from './health-words';

interface PartWords {
  name: string;
  /** What is looked at, for everybody. */
  rests: string;
  /** What an owner can do about it. */
  improve: string;
}

/** What each part of the score is called, rests on, and what would improve it. */
export const partWords: Record<ScoreKey, PartWords> = {
  reliability: {
    name: 'Reliability',
    rests: 'Share of checks within 30 days that it answered; half while it has trouble, nothing while it is down.',
    improve: 'Answer every check. What failed stands with its request and answer in the console.',
  },
  use: {
    name: 'Use',
    rests:
      'Different people and apps within 30 days (each doubling adds the same, up to 100), times the share of tasks done.',
    improve: 'More people who use it, and fewer tasks that fail. Calls by its own team do not count.',
  },
  reviews: {
    name: 'Reviews',
    rests: 'Mean of the stars, drawn towards 3.5 while there are few.',
    improve: 'Reviews by people who used it. Answering critical ones helps the next reader.',
  },
  owner: {
    name: 'Verified owner',
    rests: 'Whether its owner proved to hold the host that it runs on.',
    improve: 'Publish the proof that the console shows, by DNS or as a file.',
  },
  card: {
    name: 'Card',
    rests: 'How much of what a reader needs stands in its card.',
    improve: 'Nothing is missing.',
  },
  speed: {
    name: 'Speed',
    rests: 'Usual time to its answer to a check within 7 days: all up to 300 ms, nothing from 10 s on.',
    improve: 'Answer faster, or run closer to where the checks come from.',
  },
};

const gapTexts: Record<CardGap, string> = {
  description: 'a description of at least 80 characters',
  skills: 'a description of every skill',
  examples: 'an example for every skill',
  tags: 'tags of every skill',
  documentation: 'the address of its documentation',
  provider: 'who provides it',
  signature: 'a signature that can be checked',
};

/** What an owner can do about a part; null when it adds all it can. */
export function improvementOf({ key, value, missing = [] }: ScorePart): string | null {
  if (value >= 0.995) return null;
  if (key !== 'card' || missing.length === 0) return partWords[key].improve;
  return `Add ${missing.map((gap) => gapTexts[gap]).join('; ')}.`;
}

/** What was found for a part, in figures. */
export function foundFor({ key, isAssumed, value, missing = [] }: ScorePart, standing: StandingView): string {
  if (isAssumed) return 'Nothing is known yet; the middle counts.';
  const { uptime, use, rating, latency, health } = standing;
  switch (key) {
    case 'reliability':
      return health === 'down' || !uptime ? 'It is down.' : `${shareText(uptime.share)} of ${uptime.checks} checks.`;
    case 'use':
      return `${use.users} users, ${use.success === null ? 'no task ended' : `${shareText(use.success)} of tasks done`}.`;
    case 'reviews':
      return rating ? `${rating.average.toFixed(1)} stars by ${rating.count}.` : 'None yet.';
    case 'owner':
      return value === 1 ? 'Proved.' : 'Not proved.';
    case 'card':
      return missing.length === 0 ? 'Complete.' : `Lacks ${missing.map((gap) => gapTexts[gap]).join('; ')}.`;
    case 'speed':
      return latency ? `${durationText(latency.p50Ms)}.` : 'It is down.';
  }
}
