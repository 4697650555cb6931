import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { revealInvisible, withIndex } from '../../ui/display/untrusted-text';
import type { ChartArea } from './chart-frame';
import { seriesStyle } from './chart-theme';
import { useFormatNumber } from './format-number';
import type { NamedChart, NamedSeries } from './read-chart';

const MAX_BAR_WIDTH = 56;

/** Vertical bars, those of one label side by side. */
export function BarColumns({ chart, area }: { chart: NamedChart; area: ChartArea }): ReactNode {
  const count = chart.series.length;
  const bar = Math.min(MAX_BAR_WIDTH, (area.slot * 0.8) / count);
  return (
    <>
      {withIndex(chart.series).map(({ item: series, index }) => (
        <Columns
          area={area}
          bar={bar}
          key={index}
          labels={chart.labels}
          offset={(index - count / 2) * bar}
          index={index}
          series={series}
        />
      ))}
      <line
        className="text-line-strong"
        stroke="currentColor"
        x1={area.left}
        x2={area.right}
        y1={area.yOf(0)}
        y2={area.yOf(0)}
      />
    </>
  );
}

interface ColumnsProps {
  series: NamedSeries;
  index: number;
  labels: string[];
  area: ChartArea;
  /** Width of one bar. */
  bar: number;
  /** From the center of the label to the left edge of the bar. */
  offset: number;
}

function Columns({ series, index, labels, area, bar, offset }: ColumnsProps): ReactNode {
  const t = useTranslations('parts.chartCard');
  const formatNumber = useFormatNumber();
  const { hue, filled } = seriesStyle(index);
  const gap = bar > 6 ? 1 : 0;
  return (
    <g className={hue}>
      {withIndex(series.values).map(({ item: value, index: labelIndex }) => {
        if (value === null) return null;
        const [top, bottom] = [area.yOf(Math.max(0, value)), area.yOf(Math.min(0, value))];
        return (
          <rect
            fill={filled ? 'currentColor' : 'none'}
            height={Math.max(1, bottom - top)}
            key={labelIndex}
            stroke={filled ? 'none' : 'currentColor'}
            strokeWidth={filled ? 0 : 1.5}
            width={Math.max(1, bar - 2 * gap)}
            x={area.left + area.slot * (labelIndex + 0.5) + offset + gap}
            y={top}
          >
            <title>
              {revealInvisible(
                t('value', { label: labels[labelIndex] ?? '', value: formatNumber(value), series: series.name }),
              )}
            </title>
          </rect>
        );
      })}
    </g>
  );
}
