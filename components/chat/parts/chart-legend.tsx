import type { ReactNode } from 'react';
import { lookOf } from './chart-looks';
import { MarkedText } from './marked-text';
import { numbered } from './numbered';
import type { NamedChart } from './read-chart';

/** Which series is drawn how. One series needs none: its name stands where the title does not say it. */
export function ChartLegend({ chart }: { chart: NamedChart }): ReactNode {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
      {numbered(chart.series).map(({ item: { name }, at }) => {
        const { hue, dashes, filled } = lookOf(at);
        return (
          <li className="flex min-w-0 items-center gap-1.5 [overflow-wrap:anywhere]" key={at}>
            <svg aria-hidden="true" className={`shrink-0 ${hue}`} height="10" viewBox="0 0 18 10" width="18">
              {chart.type === 'line' ? (
                <path d="M0 5h18" stroke="currentColor" strokeDasharray={dashes} strokeWidth="2" />
              ) : (
                <rect
                  fill={filled ? 'currentColor' : 'none'}
                  height="8"
                  stroke="currentColor"
                  strokeWidth="2"
                  width="14"
                  x="2"
                  y="1"
                />
              )}
            </svg>
            <MarkedText text={name} />
          </li>
        );
      })}
    </ul>
  );
}
