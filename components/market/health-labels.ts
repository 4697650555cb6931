import type { useTranslations } from 'next-intl';
import type { Health } from '@/lib/discovery/schema-rankings';
import type { BadgeTone } from '../ui/display/badge';

/** The tone of each health state; labels and explanations are in the messages, along with those of probes. */
export const healthTones: Record<Health, BadgeTone> = {
  healthy: 'good',
  degraded: 'warn',
  down: 'danger',
  unknown: 'neutral',
};

/** Seconds in words: `15 minutes`, `24 hours`, `hour`. */
export function intervalText(seconds: number, t: ReturnType<typeof useTranslations<'market.healthWords'>>): string {
  if (seconds % 3600 === 0) return t('interval.hours', { count: seconds / 3600 });
  if (seconds % 60 === 0) return t('interval.minutes', { count: seconds / 60 });
  return t('interval.seconds', { count: seconds });
}
