import type { useTranslations } from 'next-intl';
import type { AgentRanking, MissingField, ScorePart } from '@/lib/discovery/schema-rankings';
import type { Format } from '../ui/display/format';

type ScoreTexts = ReturnType<typeof useTranslations<'market.scoreWords'>>;

/** Advice on how to improve a part of the score; null if it is at its maximum. */
export function improvementOf({ key, value, missing = [] }: ScorePart, t: ScoreTexts): string | null {
  if (value >= 0.995) return null;
  if (key !== 'card' || missing.length === 0) return t(`${key}.improve`);
  return t('add', { gaps: gapTexts(missing, t) });
}

/** The data behind a part, in figures. */
export function foundFor(
  part: ScorePart,
  standing: AgentRanking,
  { t, format }: { t: ScoreTexts; format: Format },
): string {
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
