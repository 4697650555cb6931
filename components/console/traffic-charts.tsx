import type { ReactNode } from 'react';
import type { AgentStats, StatsPoint } from '@/lib/console/schema';
import { Card } from '../ui/card';
import { Table } from '../ui/table';
import { durationOf } from './call-list';
import { TrafficChart, type TrafficSeries } from './traffic-chart';

const answered: TrafficSeries = {
  name: 'Answered',
  className: 'text-accent',
  valueAt: ({ calls, failed }) => calls - failed,
};
const failed: TrafficSeries = { name: 'Failed', className: 'text-danger', valueAt: (point) => point.failed };
const people: TrafficSeries = { name: 'People', className: 'text-accent', valueAt: (point) => point.people };
const p50: TrafficSeries = { name: 'p50', className: 'text-accent', valueAt: ({ p50Ms }) => p50Ms };
const p95: TrafficSeries = { name: 'p95', className: 'text-warn', valueAt: ({ p95Ms }) => p95Ms };

/** What the log adds up to: sums, three charts over time, and the table behind them. */
export function TrafficCharts({ stats }: { stats: AgentStats }): ReactNode {
  const { points, total, by, zone } = stats;
  return (
    <div className="space-y-4">
      <Sums total={total} />
      <div className="grid gap-4 lg:grid-cols-3">
        <TrafficChart points={points} series={[answered, failed]} title="Calls" />
        <TrafficChart format={durationOf} kind="lines" points={points} series={[p50, p95]} title="Time to answer" />
        <TrafficChart points={points} series={[people]} title="People" />
      </div>
      <details>
        <summary className="w-fit cursor-pointer rounded-sm py-1 text-sm text-link">The numbers as a table</summary>
        <Table caption={`Calls by the ${by} in ${zone}`} className="mt-3 max-h-96 overflow-y-auto">
          <thead>
            <tr>
              {[by === 'day' ? 'Day' : 'Hour', 'Calls', 'Failed', 'p50', 'p95', 'People'].map((name) => (
                <th key={name} scope="col">
                  {name}
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
                All
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
  const facts = {
    Calls: String(total.calls),
    Failed: String(total.failed),
    'p50 to answer': total.p50Ms === null ? '–' : durationOf(Math.round(total.p50Ms)),
    'p95 to answer': total.p95Ms === null ? '–' : durationOf(Math.round(total.p95Ms)),
    People: String(total.people),
  };
  return (
    <Card>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 p-5 sm:grid-cols-5">
        {Object.entries(facts).map(([name, value]) => (
          <div key={name}>
            <dt className="text-sm text-muted">{name}</dt>
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
