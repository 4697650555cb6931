import clsx from 'clsx';
import type { ReactNode } from 'react';

/** A gray placeholder bar, whose height and width the caller sets. Hidden from screen readers. */
export function Skeleton({ className }: { className?: string }): ReactNode {
  return <span aria-hidden="true" className={clsx('block animate-breathe rounded-md bg-line', className)} />;
}

interface SpinnerProps {
  /** The accessible name. Without it, the spinner is decorative, next to text with the same meaning. */
  label?: string;
  className?: string;
}

export function Spinner({ label, className }: SpinnerProps): ReactNode {
  return (
    <span className={clsx('inline-flex', className)}>
      <svg aria-hidden="true" className="animate-spin" fill="none" height="16" viewBox="0 0 24 24" width="16">
        <circle cx="12" cy="12" opacity="0.25" r="9" stroke="currentColor" strokeWidth="3" />
        <path d="M21 12a9 9 0 0 0-9-9" stroke="currentColor" strokeLinecap="round" strokeWidth="3" />
      </svg>
      {label ? <span className="sr-only">{label}</span> : null}
    </span>
  );
}
