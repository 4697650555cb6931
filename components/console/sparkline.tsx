import type { ReactNode } from 'react';

interface SparklineProps {
  /** Oldest first; null where a value is missing. */
  values: (number | null)[];
  className?: string;
}

const [width, height] = [120, 32];

/** A small line of values over time, drawn by the server. Decorative: the figures next to it state the same values. */
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
