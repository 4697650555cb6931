import clsx from 'clsx';
import type { ReactNode } from 'react';
import { markShapes } from './agent-mark-shapes';

export interface AgentMarkProps {
  slug: string;
  /** Edge length, CSS px. */
  size: number;
  className?: string;
}

/** The generated mark of an agent without an icon: a two-tone pattern, different for each slug; decorative. */
export function AgentMark({ slug, size, className }: AgentMarkProps): ReactNode {
  const { tiles, hues } = markShapes(slug);
  return (
    <svg
      aria-hidden="true"
      className={clsx('shrink-0 rounded-[22%]', className)}
      focusable="false"
      height={size}
      viewBox="0 0 40 40"
      width={size}
    >
      <rect
        height="40"
        style={{ fill: `light-dark(oklch(90% 0.055 ${hues.ground}), oklch(34% 0.06 ${hues.ground}))` }}
        width="40"
      />
      <g style={{ fill: `light-dark(oklch(46% 0.12 ${hues.figure}), oklch(82% 0.11 ${hues.figure}))` }}>
        {tiles.map(({ path, transform }) => (
          <path d={path} key={transform} transform={transform} />
        ))}
      </g>
    </svg>
  );
}
