import Link from 'next/link';
import { useLocale, useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AgentStats, StatsPoint } from '@/lib/console/schema';
import { Card } from '../../ui/display/card';
import { type Format, useFormat } from '../../ui/display/format';
import { Table } from '../../ui/display/table';
import { formatStart, TrafficChart, type TrafficSeries } from './traffic-chart';

const styles = {
  answered: { className: 'text-accent', valueAt: ({ calls, failed }) => calls - failed },
  failed: { className: 'text-danger', valueAt: ({ failed }) => failed },
  people: { className: 'text-accent', valueAt: ({ people }) => people },
  p50: { className: 'text-accent', valueAt: ({ p50Ms }) => p50Ms },
  p95: { className: 'text-warn', valueAt: ({ p95Ms }) => p95Ms },
} satisfies Record<string, Omit<TrafficSeries, 'name'>>;

interface TrafficChartsProps {
  stats: AgentStats;
  /** The log of the failed calls. */
  failedHref: string;
}

/** Aggregates of the call log: totals, three charts over time, and the table behind them. */
export function TrafficCharts({ stats, failedHref }: TrafficChartsProps): ReactNode {
  const t = useTranslations('console.trafficCharts');
  const { points, total, by, zone } = stats;
  const format = useFormat();
  const series = (...names: (keyof typeof styles)[]): TrafficSeries[] =>
    names.map((name) => ({ name: t(name), ...styles[name] }));
  return (
    <div className="space-y-4">
      <Sums failedHref={failedHref} total={total} />
      <div className="grid gap-4 lg:grid-cols-3">
        <TrafficChart
          by={by}
          format={format.compact}
          points={points}
          series={series('answered', 'failed')}
          title={t('callsBy', { by })}
        />
        <TrafficChart
          by={by}
          format={format.duration}
          kind="lines"
          points={points}
          series={series('p50', 'p95')}
          title={t('time')}
        />
        <TrafficChart
          by={by}
          format={format.compact}
          points={points}
          series={series('people')}
          title={t('peopleBy', { by })}
        />
      </div>
      <details>
        <summary className="w-fit cursor-pointer rounded-sm py-1 text-sm">
          <span className="text-link">{t('asTable')}</span>
          <span className="ms-3 text-xs text-muted">{t('zone', { zone })}</span>
        </summary>
        <Table caption={t('caption', { by, zone })} className="mt-3 max-h-96 overflow-y-auto">
          <thead>
            <tr>
              {([by, 'calls', 'failed', 'p50', 'p95', 'people'] as const).map((name) => (
                <th data-numeric={name === by ? undefined : ''} key={name} scope="col">
                  {t(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {points.map((point) => (
              <Row by={by} key={point.start} point={point} />
            ))}
          </tbody>
          <tfoot className="border-t border-line-strong font-medium">
            <tr>
              <th className="px-4 py-3" scope="row">
                {t('all')}
              </th>
              <Cells sums={total} />
            </tr>
          </tfoot>
        </Table>
      </details>
    </div>
  );
}

function Sums({ total, failedHref }: { total: AgentStats['total']; failedHref: string }): ReactNode {
  const t = useTranslations('console.trafficCharts');
  const format = useFormat();
  const facts = [
    ['calls', format.number(total.calls)],
    [
      'failed',
      total.failed > 0 ? <FailedCalls failed={total.failed} href={failedHref} key="failed" /> : format.number(0),
    ],
    ['p50ToAnswer', timeOf(format, total.p50Ms)],
    ['p95ToAnswer', timeOf(format, total.p95Ms)],
    ['people', format.number(total.people)],
  ] as const;
  return (
    <Card>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 p-5 sm:grid-cols-5">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="text-sm text-muted">{t(name)}</dt>
            <dd className="text-lg font-semibold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function FailedCalls({ failed, href }: { failed: number; href: string }): ReactNode {
  const t = useTranslations('console.trafficCharts');
  const count = useFormat().number(failed);
  return (
    <Link aria-label={t('showFailed', { count })} className="text-link" href={href} prefetch={false} scroll={false}>
      {count}
    </Link>
  );
}

function Row({ point, by }: { point: StatsPoint; by: AgentStats['by'] }): ReactNode {
  return (
    <tr>
      <th className="whitespace-nowrap tabular-nums" scope="row">
        {formatStart(useLocale(), point.start, by)}
      </th>
      <Cells sums={point} />
    </tr>
  );
}

function Cells({ sums: { calls, failed, p50Ms, p95Ms, people } }: { sums: AgentStats['total'] }): ReactNode {
  const format = useFormat();
  const cells = {
    calls: format.number(calls),
    failed: format.number(failed),
    p50: timeOf(format, p50Ms),
    p95: timeOf(format, p95Ms),
    people: format.number(people),
  };
  return Object.entries(cells).map(([name, value]) => (
    <td data-numeric="" key={name}>
      {value}
    </td>
  ));
}

function timeOf(format: Format, ms: number | null): string {
  return ms === null ? '–' : format.duration(ms);
}
