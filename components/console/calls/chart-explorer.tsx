'use client';

import { useTranslations } from 'next-intl';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react';

export interface ChartPoint {
  /** The time of the point, as text. */
  at: string;
  values: { name: string; className: string; text: string }[];
}

/** Displays the values of a chart at one point, under the pointer or selected by the arrow keys. Covers the plot. */
export function ChartExplorer({ title, points }: { title: string; points: ChartPoint[] }): ReactNode {
  const t = useTranslations('console.chartExplorer');
  const last = points.length - 1;
  const [chosen, setChosen] = useState(last);
  const [isShown, setShown] = useState(false);
  const at = Math.max(0, Math.min(chosen, last));
  const point = points[at];
  if (!point) return null;

  function onKeyDown(event: KeyboardEvent): void {
    const moves: Record<string, number> = {
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      Home: 0,
      End: last,
    };
    const move = moves[event.key];
    if (event.key === 'Escape') setShown(false);
    if (move === undefined) return;
    event.preventDefault();
    setShown(true);
    setChosen(Math.max(0, Math.min(move, last)));
  }

  function onPointer(event: PointerEvent): void {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setShown(true);
    setChosen(Math.floor(((event.clientX - left) / width) * points.length));
  }

  const center = ((at + 0.5) / points.length) * 100;
  return (
    <div
      aria-label={t('label', { title })}
      aria-valuemax={last}
      aria-valuemin={0}
      aria-valuenow={at}
      aria-valuetext={`${point.at}: ${point.values.map(({ name, text }) => `${name} ${text}`).join(', ')}`}
      className="absolute inset-0 cursor-crosshair rounded-sm touch-pan-y"
      onBlur={() => setShown(false)}
      onFocus={() => setShown(true)}
      onKeyDown={onKeyDown}
      onPointerDown={onPointer}
      onPointerLeave={() => setShown(false)}
      onPointerMove={onPointer}
      role="slider"
      tabIndex={0}
    >
      {isShown ? (
        <>
          <span
            aria-hidden="true"
            className="absolute inset-y-0 w-px bg-line-strong"
            style={{ insetInlineStart: `${center}%` }}
          />
          <span
            aria-hidden="true"
            className={`pointer-events-none absolute bottom-full z-10 mb-1 rounded-md border border-line bg-raised px-2.5 py-1.5 text-xs whitespace-nowrap shadow-card ${center > 50 ? 'end-0' : 'start-0'}`}
          >
            <span className="block font-medium">{point.at}</span>
            {point.values.map(({ name, className, text }) => (
              <span className="flex items-center gap-1.5 tabular-nums" key={name}>
                <span className={`size-2 rounded-full bg-current ${className}`} />
                {name} <span className="ms-auto ps-3 font-medium">{text}</span>
              </span>
            ))}
          </span>
        </>
      ) : null}
    </div>
  );
}
