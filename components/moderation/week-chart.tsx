import { useLocale, useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { ModerationActivity } from '@/lib/moderation/schema';
import { formatOf, useFormat } from '../ui/display/format';
import { Table } from '../ui/display/table';

type Week = ModerationActivity['weeks'][number];

const height = 96;
const step = 30;
const bar = 22;

const outcomes = [
  { name: 'removed', fill: 'fill-danger', swatch: 'bg-danger' },
  { name: 'dismissed', fill: 'fill-accent', swatch: 'bg-accent' },
] as const;

/** Decisions on reports in each week as bars, with the same figures as a table. */
export function WeekChart({ weeks }: { weeks: Week[] }): ReactNode {
  const t = useTranslations('moderation.weekChart');
  const tWords = useTranslations('moderation.words');
  const format = useFormat();
  const dayOf = useDayOf();
  const most = Math.max(1, ...weeks.map(({ removed, dismissed }) => removed + dismissed));
  const [first, last] = [weeks[0], weeks.at(-1)];
  return (
    <div className="space-y-3">
      <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {outcomes.map(({ name, swatch }) => (
          <li className="flex items-center gap-2" key={name}>
            <span aria-hidden="true" className={`size-3 rounded-xs ${swatch}`} />
            {tWords(`states.${name}`)}
          </li>
        ))}
      </ul>
      <figure className="rounded-lg border border-line bg-surface p-4">
        <p className="text-end text-xs text-muted">{t('most', { count: most, number: format.number(most) })}</p>
        <svg
          aria-label={t('label')}
          className="h-24 w-full border-y border-line"
          preserveAspectRatio="none"
          role="img"
          viewBox={`0 0 ${weeks.length * step} ${height}`}
        >
          {weeks.map((week, at) => (
            <Bar at={at} key={week.week} most={most} week={week} />
          ))}
        </svg>
        <figcaption className="mt-1.5 flex justify-between text-xs text-muted">
          <span>{first ? dayOf(first.week) : null}</span>
          <span>{last ? t('thisWeek') : null}</span>
        </figcaption>
      </figure>
      <details className="text-sm">
        <summary className="cursor-pointer py-2 text-link touch:py-3">{t('asTable')}</summary>
        <div className="mt-2">
          <WeekTable weeks={weeks} />
        </div>
      </details>
    </div>
  );
}

function Bar({ week, at, most }: { week: Week; at: number; most: number }): ReactNode {
  const t = useTranslations('moderation.weekChart');
  const dayOf = useDayOf();
  const tall = (count: number): number => (count / most) * height;
  const x = at * step + (step - bar) / 2;
  const removed = tall(week.removed);
  const dismissed = tall(week.dismissed);
  return (
    <g>
      <title>{t('week', { week: dayOf(week.week), removed: week.removed, dismissed: week.dismissed })}</title>
      <rect fill="transparent" height={height} width={bar} x={x} y={0} />
      <rect className={outcomes[0].fill} height={removed} width={bar} x={x} y={height - removed} />
      <rect className={outcomes[1].fill} height={dismissed} width={bar} x={x} y={height - removed - dismissed} />
    </g>
  );
}

function WeekTable({ weeks }: { weeks: Week[] }): ReactNode {
  const t = useTranslations('moderation.weekChart');
  const dayOf = useDayOf();
  const format = useFormat();
  return (
    <Table cards caption={t('label')}>
      <thead>
        <tr>
          <th scope="col">{t('column.week')}</th>
          {columns.map((name) => (
            <th data-numeric key={name} scope="col">
              {t(`column.${name}`)}
            </th>
          ))}
          <th data-numeric scope="col">
            {t('column.median')}
          </th>
        </tr>
      </thead>
      <tbody>
        {weeks.toReversed().map((week) => (
          <tr key={week.week}>
            <th scope="row">{dayOf(week.week)}</th>
            {columns.map((name) => (
              <td data-label={t(`column.${name}`)} data-numeric key={name}>
                {format.number(week[name])}
              </td>
            ))}
            <td data-label={t('column.median')} data-numeric>
              {week.medianHours === null ? t('none') : format.duration(week.medianHours * 3_600_000)}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

const columns = ['reports', 'removed', 'dismissed', 'restored', 'appeals', 'upheld'] as const;

/** Returns a function for the first day of a week as text. Weeks start in UTC, regardless of the reader's time zone. */
function useDayOf(): (week: string) => string {
  const format = formatOf(useLocale(), 'UTC');
  return (week) => format.date(`${week}T00:00:00Z`);
}
