'use client';

import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { lazyPart } from '../ui/lazy-part';
import { isCommand } from './shortcuts';

const Palette = lazyPart(async () => (await import('./command-palette')).CommandPalette);
const Sheet = lazyPart(async () => (await import('./shortcut-sheet')).ShortcutSheet);

/** Opens the palette by Ctrl K and the sheet of keys by Ctrl /; the script of either comes when it is first opened. */
export function CommandKeys({ signedIn }: { signedIn: boolean }): ReactNode {
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null);

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const asked = event.defaultPrevented ? null : dialogOf(event);
      // Another dialog that is open keeps its keys.
      if (asked === null || document.querySelector('[role="dialog"]')) return;
      event.preventDefault();
      setOpen(asked);
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

/** Some keyboards have the slash behind Shift. A single letter would be heard by who speaks to their computer (WCAG 2.1.4). */
function dialogOf(event: KeyboardEvent): 'palette' | 'keys' | null {
  if (!isCommand(event)) return null;
  if (event.key === '/') return 'keys';
  return event.key.toLowerCase() === 'k' && !event.shiftKey ? 'palette' : null;
}
