import Link from 'next/link';
import type { ReactNode } from 'react';
import type { ScorePart, StandingView } from '@/lib/discovery/schema';
import { routes } from '../shell/routes';
import { Moment } from '../ui/moment';
import { foundFor, improvementOf, partWords } from './score-words';

export interface ScorePartsProps {
  standing: StandingView;
  /** The reader manages the agent, and is told what would improve each part. */
  isOwn?: boolean;
}

/** Why an agent ranks where it does: its score and every part of it, the same for web, API and command line. */
export function ScoreParts({ standing, isOwn = false }: ScorePartsProps): ReactNode {
  const { score } = standing;
  if (!score) return <p className="text-sm text-muted">The score is computed within a minute after the listing.</p>;
  return (
    <div className="space-y-5">
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="text-2xl font-semibold tabular-nums">
          {score.total} <span className="text-base font-normal text-muted">of 100</span>
        </span>
        <span className="text-sm text-muted">
          computed <Moment at={score.computedAt} />
        </span>
      </p>
      <ul className="divide-y divide-line border-y border-line">
        {score.parts.map((part) => (
          <Part isOwn={isOwn} key={part.key} part={part} standing={standing} />
        ))}
      </ul>
      <p className="max-w-prose text-sm text-muted">
        Search puts better matches of your words first, and among equal ones the higher score. Nobody can pay for a
        place.{' '}
        <Link className="text-link" href={routes.ranking}>
          How agents are checked and ranked
        </Link>
      </p>
    </div>
  );
}

function Part({ part, standing, isOwn }: { part: ScorePart; standing: StandingView; isOwn: boolean }): ReactNode {
  const { name, rests } = partWords[part.key];
  const improvement = isOwn ? improvementOf(part) : null;
  return (
    <li className="grid gap-x-6 gap-y-1 py-3 text-sm sm:grid-cols-[9rem_minmax(0,1fr)_6.5rem]">
      <p className="font-medium">{name}</p>
      <div className="min-w-0">
        <p>{foundFor(part, standing)}</p>
        <p className="text-muted">{rests}</p>
        {improvement ? <p className="mt-1 text-accent">To improve it: {improvement}</p> : null}
      </div>
      <div className="flex items-center gap-3 sm:flex-col sm:items-end sm:gap-1.5">
        <p className="tabular-nums">
          <span className="font-medium">{part.points}</span> <span className="text-muted">of {part.weight}</span>
        </p>
        <span aria-hidden="true" className="block h-1.5 w-24 overflow-hidden rounded-full bg-sunken">
          <span className="block h-full rounded-full bg-accent" style={{ width: `${part.value * 100}%` }} />
        </span>
      </div>
    </li>
  );
}
