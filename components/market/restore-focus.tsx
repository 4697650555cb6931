'use client';

import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { readSessionItem, setSessionItem } from '../ui/controls/session-storage';

const keyOf = (address: string): string => `focus ${address}`;

/** Records which link of a list was followed, and focuses it when the user returns to the list. */
export function RestoreFocus({ children }: { children: ReactNode }): ReactNode {
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const key = keyOf(location.href);
    const href = readSessionItem(key);
    if (!href) return;
    setSessionItem(key, null);
    const links = [...(list.current?.querySelectorAll('a') ?? [])];
    links.find((link) => link.getAttribute('href') === href)?.focus({ preventScroll: true });
  }, []);

  function remember(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const href = link?.getAttribute('href');
    if (href) setSessionItem(keyOf(location.href), href);
  }

  return (
    <div onClickCapture={remember} ref={list}>
      {children}
    </div>
  );
}
