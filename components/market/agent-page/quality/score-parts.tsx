import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AgentRanking, MissingField, ScorePart } from '@/lib/discovery/schema-rankings';
import { routes } from '../../../routes';
import { DateTime } from '../../../ui/display/date-time';
import { type Format, useFormat } from '../../../ui/display/format';

/**
 * The factors of an agent's rank: its score and all parts, the same for web, API and CLI. Its team also sees advice for
 * each part.
 */
export function ScoreParts({ standing }: { standing: AgentRanking }): ReactNode {
  const t = useTranslations('market.scoreParts');
  const { score } = standing;
  if (!score) return <p className="text-sm text-muted">{t('notYet')}</p>;
  return (
    <div className="space-y-5">
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="text-2xl font-semibold tabular-nums">
          {t.rich('total', {
            total: String(score.total),
            unit: (chunks) => <span className="text-base font-normal text-muted">{chunks}</span>,
          })}
        </span>
        <span className="text-sm text-muted">
          {t.rich('computed', { moment: () => <DateTime at={score.computedAt} /> })}
        </span>
      </p>
      <ul className="divide-y divide-line border-y border-line">
        {score.parts.map((part) => (
          <Part key={part.key} part={part} standing={standing} />
        ))}
      </ul>
      <p className="max-w-prose text-sm text-muted">
        {t('hint')}{' '}
        <Link className="text-link" href={routes.ranking}>
          {t('how')}
        </Link>
      </p>
    </div>
  );
}

function Part({ part, standing }: { part: ScorePart; standing: AgentRanking }): ReactNode {
  const t = useTranslations('market.scoreParts');
  const words = useTranslations('market.scoreWords');
  const format = useFormat();
  const improvement = standing.isOwn ? improvementOf(part, words) : null;
  return (
    <li className="grid gap-x-6 gap-y-1 py-3 text-sm sm:grid-cols-[9rem_minmax(0,1fr)_6.5rem]">
      <p className="font-medium">{words(`${part.key}.name`)}</p>
      <div className="min-w-0">
        <p>{foundFor(part, standing, { t: words, format })}</p>
        <p className="text-muted">{words(`${part.key}.rests`)}</p>
        {improvement ? <p className="mt-1 text-accent">{t('improve', { improvement })}</p> : null}
      </div>
      <div className="flex items-center gap-3 sm:flex-col sm:items-end sm:gap-1.5">
        <p className="tabular-nums">
          {t.rich('points', {
            points: String(part.points),
            weight: String(part.weight),
            own: (chunks) => <span className="font-medium">{chunks}</span>,
            most: (chunks) => <span className="text-muted">{chunks}</span>,
          })}
        </p>
        <span aria-hidden="true" className="block h-1.5 w-24 overflow-hidden rounded-full bg-sunken">
          <span className="block h-full rounded-full bg-accent" style={{ width: `${part.value * 100}%` }} />
        </span>
      </div>
    </li>
  );
}

type ScoreTexts = ReturnType<typeof useTranslations<'market.scoreWords'>>;

/** Returns advice for improving a part of the score; null if it is at its maximum. */
function improvementOf({ key, value, missing = [] }: ScorePart, t: ScoreTexts): string | null {
  if (value >= 0.995) return null;
  if (key !== 'card' || missing.length === 0) return t(`${key}.improve`);
  return t('add', { gaps: gapTexts(missing, t) });
}

/** Returns the data behind a part, in figures. */
function foundFor(part: ScorePart, standing: AgentRanking, { t, format }: { t: ScoreTexts; format: Format }): string {
  const { key, isAssumed, value, missing = [] } = part;
  if (isAssumed) return t('assumed');
  const { uptime, use, rating, latency, health } = standing;
  switch (key) {
    case 'reliability':
      if (health === 'down' || !uptime) return t('down');
      return t('share', {
        share: format.percent(uptime.share),
        count: uptime.checks,
        checks: format.number(uptime.checks),
      });
    case 'use':
      if (use.success === null) return t('useNone', { users: use.users });
      return t('useShare', { users: use.users, share: format.percent(use.success) });
    case 'reviews':
      return rating ? t('stars', { stars: format.rating(rating.average), number: rating.count }) : t('noReviews');
    case 'owner':
      return t(value === 1 ? 'proved' : 'notProved');
    case 'card':
      return missing.length === 0 ? t('complete') : t('lacks', { gaps: gapTexts(missing, t) });
    case 'speed':
      return latency ? t('time', { duration: format.duration(latency.p50Ms) }) : t('down');
  }
}

function gapTexts(gaps: MissingField[], t: ScoreTexts): string {
  return gaps.map((gap) => t(`gap.${gap}`)).join('; ');
}
