import clsx from 'clsx';
import type { ReactNode } from 'react';
import { scrollRegion } from './scroll-region';

export interface TableProps {
  /** The name of the table for screen readers only, because a visible heading precedes it. */
  caption: string;
  className?: string;
  /**
   * True to display each row as a card on phones: a cell follows its `data-label`, and the row header is the card's
   * title.
   */
  cards?: boolean;
  /**
   * `<thead>` and `<tbody>` as plain HTML, with `scope` on header cells. `data-numeric` on a header and its cells
   * aligns them to the end. Ids and method names must be in an `Identifier`.
   */
  children: ReactNode;
}

/** Below 640 px, the labels of the cells replace the header row for screen readers. */
const cardClass =
  'sheet:block sheet:[&_thead]:sr-only sheet:[&_:is(tbody,tr,th,td)]:block sheet:[&_tbody_tr]:py-3 sheet:[&_tbody_:is(th,td)]:py-1 ' +
  'sheet:[&_tbody_:is(th,td)]:text-start sheet:[&_tbody_td[data-label]]:flex sheet:[&_tbody_td[data-label]]:justify-between ' +
  'sheet:[&_tbody_td[data-label]]:items-baseline sheet:[&_tbody_td[data-label]]:gap-4 sheet:[&_tbody_td[data-label]]:before:shrink-0 ' +
  'sheet:[&_tbody_td[data-label]]:before:text-muted sheet:[&_tbody_td[data-label]]:before:content-[attr(data-label)]';

/** A table that scrolls horizontally in its own frame, also by keyboard, so that the page never does. */
export function Table({ caption, className, cards = false, children }: TableProps): ReactNode {
  return (
    <div
      {...scrollRegion(caption)}
      className={clsx('relative overflow-x-auto rounded-lg border border-line bg-surface', className)}
    >
      <table
        className={clsx(
          'w-full border-collapse text-sm [&_:is(th,td)]:text-start',
          '[&_[data-numeric]]:text-end [&_td[data-numeric]]:whitespace-nowrap [&_td[data-numeric]]:tabular-nums',
          '[&_td]:px-4 [&_td]:py-3 [&_td]:align-top [&_tbody_tr]:border-t [&_tbody_tr]:border-line',
          '[&_thead_th]:px-4 [&_thead_th]:py-2.5 [&_thead_th]:align-bottom [&_thead_th]:font-medium [&_thead_th]:text-muted',
          '[&_thead_th]:whitespace-nowrap',
          '[&_tbody_th]:px-4 [&_tbody_th]:py-3 [&_tbody_th]:align-top [&_tbody_th]:font-medium',
          cards && cardClass,
        )}
      >
        <caption className="sr-only">{caption}</caption>
        {children}
      </table>
    </div>
  );
}
