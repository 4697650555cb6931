import type { ReactNode } from 'react';
import { UntrustedText, withIndex } from '../../ui/display/untrusted-text';
import { seriesStyle } from './chart-theme';
import type { NamedChart } from './read-chart';

/** The legend of the series. A single series needs none: its name is shown if the title does not contain it. */
export function ChartLegend({ chart }: { chart: NamedChart }): ReactNode {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
      {withIndex(chart.series).map(({ item: { name }, index }) => {
        const { hue, dashes, filled } = seriesStyle(index);
        return (
          <li className="flex min-w-0 items-center gap-1.5 [overflow-wrap:anywhere]" key={index}>
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
            <UntrustedText text={name} />
          </li>
        );
      })}
    </ul>
  );
}
