'use client';

import type { ReactNode } from 'react';
import { BarColumns } from './chart-columns';
import { ChartFrame } from './chart-frame';
import { ChartLines } from './chart-lines';
import { BarRows, rowsHeight } from './chart-rows';
import { scaleFor } from './chart-scale';
import type { NamedChart } from './read-chart';
import { useWidth } from './use-width';

const HEIGHT = 240;
/** Average character width at the label size, px. */
const CHARACTER = 7;
const MAX_ROWS = 40;

/** A chart at the available width. Its height is known before its width, so there is no layout shift. */
export function ChartDrawing({ chart, summary }: { chart: NamedChart; summary: string }): ReactNode {
  const [ref, width] = useWidth<HTMLDivElement>();
  const isHorizontal = chart.type === 'bar' && needsRows(chart, width);
  const height = isHorizontal ? rowsHeight(chart) : HEIGHT;
  return (
    <div className="min-w-0" ref={ref} style={{ minHeight: height }}>
      {width === 0 ? null : (
        <svg aria-label={summary} className="block" height={height} role="img" width={width}>
          {isHorizontal ? (
            <BarRows chart={chart} width={width} />
          ) : (
            <VerticalChart chart={chart} height={height} width={width} />
          )}
        </svg>
      )}
    </div>
  );
}

/** Bars are horizontal if their labels would not fit below them. */
function needsRows({ labels }: NamedChart, width: number): boolean {
  const longest = Math.max(...labels.map(({ length }) => length));
  return labels.length <= MAX_ROWS && (longest * CHARACTER + 8) * labels.length > width - 48;
}

function VerticalChart({ chart, width, height }: { chart: NamedChart; width: number; height: number }): ReactNode {
  const values = chart.series.flatMap((series) => series.values.filter((value) => value !== null));
  const scale = scaleFor(values, { fromZero: chart.type === 'bar' });
  return (
    <ChartFrame height={height} labels={chart.labels} scale={scale} width={width}>
      {(area) =>
        chart.type === 'bar' ? <BarColumns area={area} chart={chart} /> : <ChartLines area={area} chart={chart} />
      }
    </ChartFrame>
  );
}
