'use client';

import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { lazyPart } from '../ui/lazy-part';
import { isTyping } from './shortcuts';

const Palette = lazyPart(async () => (await import('./command-palette')).CommandPalette);
const Sheet = lazyPart(async () => (await import('./shortcut-sheet')).ShortcutSheet);

/** Opens the palette by Ctrl K and the sheet of keys by `?`; the script of either comes when it is first opened. */
export function CommandKeys({ signedIn }: { signedIn: boolean }): ReactNode {
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null);

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.defaultPrevented || isTyping(event.target)) return;
      const palette =
        (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'k';
      const keys = event.key === '?' && !event.ctrlKey && !event.metaKey && !event.altKey;
      // Another dialog that is open keeps its keys.
      if (!(palette || keys) || document.querySelector('[role="dialog"]')) return;
      event.preventDefault();
      setOpen(palette ? 'palette' : 'keys');
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);

  const close = (): void => setOpen(null);
  return (
    <Suspense fallback={null}>
      {open === 'palette' ? <Palette onClose={close} onShowKeys={() => setOpen('keys')} signedIn={signedIn} /> : null}
      {open === 'keys' ? <Sheet onClose={close} /> : null}
    </Suspense>
  );
}
