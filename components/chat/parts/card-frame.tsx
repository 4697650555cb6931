import clsx from 'clsx';
import type { ReactNode } from 'react';

export interface CardFrameProps {
  /** Says to screen readers what the card is. */
  label: string;
  className?: string;
  children: ReactNode;
}

/** The frame of everything that an agent sends beside text. */
export function CardFrame({ label, className, children }: CardFrameProps): ReactNode {
  return (
    <figure
      aria-label={label}
      className={clsx('min-w-0 overflow-hidden rounded-lg border border-line bg-surface text-sm', className)}
    >
      {children}
    </figure>
  );
}
