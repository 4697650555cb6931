'use client';

import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { keepInTab, readKept } from '../ui/kept-in-tab';

const keyOf = (address: string): string => `focus ${address}`;

/** Remembers which link of a list was followed, and gives it the focus again when the list comes back. */
export function KeepFocus({ children }: { children: ReactNode }): ReactNode {
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const key = keyOf(location.href);
    const href = readKept(key);
    if (!href) return;
    keepInTab(key, null);
    const links = [...(list.current?.querySelectorAll('a') ?? [])];
    links.find((link) => link.getAttribute('href') === href)?.focus({ preventScroll: true });
  }, []);

  function remember(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const href = link?.getAttribute('href');
    if (href) keepInTab(keyOf(location.href), href);
  }

  return (
    <div onClickCapture={remember} ref={list}>
      {children}
    </div>
  );
}
