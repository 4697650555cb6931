import clsx from 'clsx';
import type { ReactNode } from 'react';

/** A gray placeholder bar; give it height and width. Hidden from screen readers. */
export function Skeleton({ className }: { className?: string }): ReactNode {
  return <span aria-hidden="true" className={clsx('block animate-breathe rounded-md bg-line', className)} />;
}
