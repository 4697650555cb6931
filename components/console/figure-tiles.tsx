import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { Overview, SalesSum } from '@/lib/console/schema-overview';
import { MoneyText } from '../payments/offers/money';
import { TestBadge } from '../payments/offers/order-phase';
import { Card } from '../ui/display/card';
import { useFormat } from '../ui/display/format';
import { type Change, ChangeNote } from './change-note';
import { Sparkline } from './sparkline';

/** The figures of a period, each with its change since the period before and its course. */
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

/** The figures are exact within 5 %, so two digits are shown. */
export function roundDuration(ms: number): number {
  return Number(ms.toPrecision(2));
}
