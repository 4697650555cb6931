'use client';

import clsx from 'clsx';
import { usePathname } from 'next/navigation';
import { type ReactNode, useEffect, useRef } from 'react';

export interface PopoverMenuProps {
  /** Unique on the page. */
  id: string;
  /** Accessible name of the button. */
  label: string;
  /** Content of the button. */
  face: ReactNode;
  className?: string;
  /** Links and small forms. */
  children: ReactNode;
}

/**
 * A button and a sheet of links below the header, using the native popover: opening and closing (Esc, a click outside)
 * need no script. The script only closes it after a link, since the header persists across navigations.
 */
export function PopoverMenu({ id, label, face, className, children }: PopoverMenuProps): ReactNode {
  const sheet = useRef<HTMLDivElement>(null);
  const path = usePathname();
  const shownOn = useRef(path);

  useEffect(() => {
    if (shownOn.current !== path) sheet.current?.hidePopover();
    shownOn.current = path;
  }, [path]);

  return (
    <div className={className}>
      <button
        aria-label={label}
        className="inline-flex size-10 items-center justify-center rounded-md border border-transparent hover:bg-sunken touch:size-11"
        popoverTarget={id}
        title={label}
        type="button"
      >
        {face}
      </button>
      <div
        className={clsx(
          'inset-auto top-[calc(var(--header-height)-0.25rem)] end-[max(1rem,calc((100%-var(--container-page))/2))]',
          'm-0 w-64 rounded-lg border border-line bg-raised p-1.5 text-ink shadow-pop',
        )}
        id={id}
        popover="auto"
        ref={sheet}
      >
        {children}
      </div>
    </div>
  );
}
