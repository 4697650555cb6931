import clsx from 'clsx';
import type { ReactNode } from 'react';
import { scrollRegion } from './scroll-region';

export interface TableProps {
  /** Names the table for screen readers only, since a visible heading precedes it. */
  caption: string;
  className?: string;
  /** `<thead>` and `<tbody>` as plain HTML, with `scope` on header cells. */
  children: ReactNode;
}

/** A table that scrolls sideways in its own frame, also by keyboard, so that the page never does. */
export function Table({ caption, className, children }: TableProps): ReactNode {
  return (
    <div
      {...scrollRegion(caption)}
      className={clsx('relative overflow-x-auto rounded-lg border border-line bg-surface', className)}
    >
      <table
        className={clsx(
          'w-full border-collapse text-start text-sm',
          '[&_td]:px-4 [&_td]:py-3 [&_td]:align-top [&_tbody_tr]:border-t [&_tbody_tr]:border-line',
          '[&_thead_th]:px-4 [&_thead_th]:py-2.5 [&_thead_th]:font-medium [&_thead_th]:text-muted',
          '[&_tbody_th]:px-4 [&_tbody_th]:py-3 [&_tbody_th]:align-top [&_tbody_th]:font-medium',
        )}
      >
        <caption className="sr-only">{caption}</caption>
        {children}
      </table>
    </div>
  );
}
