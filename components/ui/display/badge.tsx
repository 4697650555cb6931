import clsx from 'clsx';
import type { ReactNode } from 'react';

export type BadgeTone = 'neutral' | 'accent' | 'good' | 'warn' | 'danger';

const tones: Record<BadgeTone, string> = {
  neutral: 'border-line text-ink',
  accent: 'border-accent/25 bg-accent-soft text-accent',
  good: 'border-good/25 bg-good-soft text-good',
  warn: 'border-warn/30 bg-warn-soft text-warn',
  danger: 'border-danger/25 bg-danger-soft text-danger',
};

export interface BadgeProps {
  tone?: BadgeTone;
  icon?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A short fact. It always has text, because color and icon alone are not accessible. */
export function Badge({ tone = 'neutral', icon, className, children }: BadgeProps): ReactNode {
  return (
    <span
      className={clsx(
        'inline-flex min-h-6 items-center gap-1 rounded-sm border px-1.5 text-xs font-medium whitespace-nowrap',
        tones[tone],
        className,
      )}
    >
      {icon}
      {children}
    </span>
  );
}
