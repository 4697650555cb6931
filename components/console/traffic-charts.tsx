import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AgentStats, StatsPoint } from '@/lib/console/schema';
import { Card } from '../ui/card';
import { Table } from '../ui/table';
import { durationOf } from './call-list';
import { TrafficChart, type TrafficSeries } from './traffic-chart';

const styles = {
  answered: { className: 'text-accent', valueAt: ({ calls, failed }) => calls - failed },
  failed: { className: 'text-danger', valueAt: ({ failed }) => failed },
  people: { className: 'text-accent', valueAt: ({ people }) => people },
  p50: { className: 'text-accent', valueAt: ({ p50Ms }) => p50Ms },
  p95: { className: 'text-warn', valueAt: ({ p95Ms }) => p95Ms },
} satisfies Record<string, Omit<TrafficSeries, 'name'>>;

/** Aggregates of the call log: totals, three charts over time, and the table behind them. */
export function TrafficCharts({ stats }: { stats: AgentStats }): ReactNode {
  const t = useTranslations('console.trafficCharts');
  const { points, total, by, zone } = stats;
  const series = (...names: (keyof typeof styles)[]): TrafficSeries[] =>
    names.map((name) => ({ name: t(name), ...styles[name] }));
  return (
    <div className="space-y-4">
      <Sums total={total} />
      <div className="grid gap-4 lg:grid-cols-3">
        <TrafficChart points={points} series={series('answered', 'failed')} title={t('calls')} />
        <TrafficChart
          format={durationOf}
          kind="lines"
          points={points}
          series={series('p50', 'p95')}
          title={t('time')}
        />
        <TrafficChart points={points} series={series('people')} title={t('people')} />
      </div>
      <details>
        <summary className="w-fit cursor-pointer rounded-sm py-1 text-sm text-link">{t('asTable')}</summary>
        <Table caption={t('caption', { by, zone })} className="mt-3 max-h-96 overflow-y-auto">
          <thead>
            <tr>
              {([by, 'calls', 'failed', 'p50', 'p95', 'people'] as const).map((name) => (
                <th key={name} scope="col">
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

function Sums({ total }: { total: AgentStats['total'] }): ReactNode {
  const t = useTranslations('console.trafficCharts');
  const facts = [
    ['calls', String(total.calls)],
    ['failed', String(total.failed)],
    ['p50ToAnswer', timeOf(total.p50Ms)],
    ['p95ToAnswer', timeOf(total.p95Ms)],
    ['people', String(total.people)],
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

function Row({ point, by }: { point: StatsPoint; by: AgentStats['by'] }): ReactNode {
  return (
    <tr>
      <th className="whitespace-nowrap tabular-nums" scope="row">
        {by === 'day' ? point.start.slice(0, 10) : point.start.replace('T', ' ')}
      </th>
      <Cells sums={point} />
    </tr>
  );
}

function Cells({ sums: { calls, failed: lost, p50Ms, p95Ms, people: who } }: { sums: AgentStats['total'] }): ReactNode {
  const cells = { calls, lost, p50: timeOf(p50Ms), p95: timeOf(p95Ms), who };
  return Object.entries(cells).map(([name, value]) => (
    <td className="tabular-nums" key={name}>
      {value}
    </td>
  ));
}

function timeOf(ms: number | null): string {
  return ms === null ? '–' : durationOf(Math.round(ms));
}
