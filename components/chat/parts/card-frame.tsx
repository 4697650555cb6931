import clsx from 'clsx';
import type { ReactNode } from 'react';

export interface CardFrameProps {
  /** The kind of card, for screen readers. */
  label: string;
  className?: string;
  children: ReactNode;
}

/** The frame of everything an agent sends besides text. */
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
