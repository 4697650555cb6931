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
 * A button and a menu of links below the header, on phones a sheet at the bottom, using the native popover, which is
 * opened and closed (Esc, a click outside) without JavaScript. The script only closes it after a link, because the
 * header persists across navigations.
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
          'm-0 border-line bg-raised text-ink shadow-pop',
          'desk:inset-auto desk:top-[calc(var(--header-height)-0.25rem)] desk:end-[max(1rem,calc((100%-var(--container-page))/2))]',
          'desk:w-64 desk:rounded-lg desk:border desk:p-1.5',
          'sheet:inset-auto sheet:inset-x-0 sheet:bottom-0 sheet:max-h-[88dvh] sheet:w-full sheet:max-w-none sheet:overscroll-contain',
          'sheet:rounded-t-xl sheet:border-t sheet:p-3 sheet:pb-[max(1rem,env(safe-area-inset-bottom))]',
          'sheet:backdrop:bg-[oklch(15%_0.02_238/0.55)] sheet:open:animate-sheet',
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
