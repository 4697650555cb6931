import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { Overview, SalesSum } from '@/lib/console/schema-agents';
import { MoneyText } from '../../payments/offers/money';
import { TestBadge } from '../../payments/offers/order-phase';
import { Card } from '../../ui/display/card';
import { useFormat } from '../../ui/display/format';

/** The figures of a period, each with its change since the preceding period and its values over time. */
export function FigureTiles({ overview }: { overview: Overview }): ReactNode {
  const t = useTranslations('console.figureTiles');
  const format = useFormat();
  const { current, previous, points, sales } = overview;
  const dash = t('none');
  return (
    <dl className={`grid grid-cols-2 gap-3 sm:gap-4 md:grid-cols-3 ${sales ? 'xl:grid-cols-5' : 'xl:grid-cols-4'}`}>
      <Tile
        change={{ current: current.calls, previous: previous.calls, better: 'up' }}
        name={t('calls')}
        values={points.map(({ calls }) => calls)}
      >
        {format.number(current.calls)}
      </Tile>
      <Tile
        change={{ current: current.success, previous: previous.success, kind: 'share', better: 'up' }}
        name={t('success')}
        values={points.map(({ success }) => success)}
      >
        {current.success === null ? dash : format.percent(current.success)}
      </Tile>
      <Tile
        change={{ current: current.p95Ms, previous: previous.p95Ms, better: 'down' }}
        hint={t('p95Hint')}
        name={t('p95')}
        values={points.map(({ p95Ms }) => p95Ms)}
      >
        {current.p95Ms === null ? dash : format.duration(roundDuration(current.p95Ms))}
      </Tile>
      <Tile
        change={{ current: current.users, previous: previous.users, better: 'up' }}
        name={t('users')}
        values={points.map(({ users }) => users)}
      >
        {format.number(current.users)}
      </Tile>
      {sales ? (
        <Tile
          change={{ current: countOf(sales.current), previous: countOf(sales.previous), better: 'up' }}
          className="max-md:col-span-2"
          details={<Amounts sums={sales.current} />}
          name={t('sales')}
          values={sales.points}
        >
          {format.number(countOf(sales.current))}
        </Tile>
      ) : null}
    </dl>
  );
}

interface TileProps {
  name: string;
  hint?: string;
  change: Change;
  values: (number | null)[];
  details?: ReactNode;
  className?: string;
  children: ReactNode;
}

function Tile({ name, hint, change, values, details, className, children }: TileProps): ReactNode {
  return (
    <Card className={clsx('flex flex-col p-4', className)}>
      <dt className="text-sm text-muted" title={hint}>
        {name}
      </dt>
      <dd className="flex flex-1 flex-col">
        <span className="mt-0.5 text-2xl font-semibold tabular-nums">{children}</span>
        <span className="min-h-4 text-xs">
          <ChangeNote change={change} />
        </span>
        {details}
        <Sparkline className="mt-auto pt-3" values={values} />
      </dd>
    </Card>
  );
}

function Amounts({ sums }: { sums: SalesSum[] }): ReactNode {
  if (sums.length === 0) return null;
  return (
    <span className="flex flex-wrap items-center gap-x-2 text-xs text-muted">
      {sums.map(({ currency, test, gross }) => (
        <span className="inline-flex items-center gap-1" key={`${currency} ${test}`}>
          <MoneyText money={{ currency, minor: gross }} />
          {test ? <TestBadge /> : null}
        </span>
      ))}
    </span>
  );
}

function countOf(sums: SalesSum[]): number {
  return sums.reduce((sum, { count }) => sum + count, 0);
}

/** Rounds a duration to two digits, because the figures are exact within 5 %. */
export function roundDuration(ms: number): number {
  return Number(ms.toPrecision(2));
}

export interface Change {
  current: number | null;
  previous: number | null;
  /** `share` for the difference in percentage points; otherwise the change in percent. */
  kind?: 'share';
  /** The direction that is an improvement; `none` if there is none. */
  better: 'up' | 'down' | 'none';
}

/** The change of a figure since the previous period. */
export function ChangeNote({ change }: { change: Change }): ReactNode {
  const t = useTranslations('console.changeNote');
  const format = useFormat();
  const { current, previous, kind, better } = change;
  if (current === null || previous === null || (current === 0 && previous === 0)) return null;
  if (previous === 0 && kind === undefined) return <span className="text-muted">{t('new')}</span>;
  const difference = kind === 'share' ? (current - previous) * 100 : ((current - previous) / previous) * 100;
  const rounded = Math.abs(difference) < 10 ? Math.round(difference * 10) / 10 : Math.round(difference);
  if (rounded === 0) return <span className="text-muted">{t('same')}</span>;
  const direction = rounded > 0 ? 'up' : 'down';
  const tone = better === 'none' ? 'text-muted' : direction === better ? 'text-good' : 'text-danger';
  const amount = format.number(Math.abs(rounded), { maximumFractionDigits: 1 });
  return (
    <span className={`${tone} tabular-nums`}>
      <span aria-hidden="true">{direction === 'up' ? '↑' : '↓'} </span>
      <span className="sr-only">{t(direction)} </span>
      {t(kind === 'share' ? 'points' : 'percent', { amount })}
    </span>
  );
}

interface SparklineProps {
  /** Oldest first; null if a value is missing. */
  values: (number | null)[];
  className?: string;
}

const [width, height] = [120, 32];

/**
 * A small server-rendered line of values over time. Decorative, because the figures next to it state the same values.
 */
export function Sparkline({ values, className = '' }: SparklineProps): ReactNode {
  const known = values.flatMap((value, index) => (value === null ? [] : [{ value, index }]));
  const highest = Math.max(1e-9, ...known.map(({ value }) => value));
  const step = width / Math.max(1, values.length - 1);
  const points = known.map(({ value, index }) => ({
    x: index * step,
    y: height - 2 - (value / highest) * (height - 4),
  }));
  const line = points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  const [first, last] = [points[0], points.at(-1)];
  return (
    <svg
      aria-hidden="true"
      className={`block h-8 w-full overflow-visible text-accent ${className}`}
      preserveAspectRatio="none"
      viewBox={`0 0 ${width} ${height}`}
    >
      <line
        className="text-line"
        stroke="currentColor"
        vectorEffect="non-scaling-stroke"
        x1="0"
        x2={width}
        y1={height - 1}
        y2={height - 1}
      />
      {first && last && points.length > 1 ? (
        <>
          <polygon
            className="opacity-15"
            fill="currentColor"
            points={`${first.x.toFixed(1)},${height - 1} ${line} ${last.x.toFixed(1)},${height - 1}`}
          />
          <polyline
            fill="none"
            points={line}
            stroke="currentColor"
            strokeLinejoin="round"
            strokeWidth="1.5"
            vectorEffect="non-scaling-stroke"
          />
        </>
      ) : null}
    </svg>
  );
}
