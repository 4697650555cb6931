import type { useTranslations } from 'next-intl';

type TimeTexts = ReturnType<typeof useTranslations<'payments.timeLeft'>>;

/** A duration in its two largest units: "3 days 4 h", "1 h 5 min", "14 min 32 s". `ms` is positive. */
export function timeLeft(ms: number, t: TimeTexts): string {
  const seconds = Math.ceil(ms / 1_000);
  const units = [
    [Math.floor(seconds / 86_400), 'day'],
    [Math.floor(seconds / 3_600) % 24, 'hour'],
    [Math.floor(seconds / 60) % 60, 'minute'],
    [seconds % 60, 'second'],
  ] as const;
  const first = units.findIndex(([count]) => count > 0);
  const [large = '', small] = units
    .slice(Math.max(0, first), first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => t(unit, { count, amount: String(count) }));
  return small === undefined ? large : t('both', { large, small });
}
