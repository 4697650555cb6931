'use client';

import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { lazyComponent } from '../../ui/overlays/lazy';
import { isCommand, isQuestionMarkOn, isTyping } from './shortcuts';

const Palette = lazyComponent(async () => (await import('./command-palette')).CommandPalette);
const Sheet = lazyComponent(async () => (await import('./shortcut-sheet')).ShortcutSheet);

export interface CommandPaletteShortcutsProps {
  signedIn: boolean;
  isAdmin: boolean;
}

/** Opens the palette with Ctrl K and the shortcut sheet with Ctrl / or ?. Each script is loaded on first use. */
export function CommandPaletteShortcuts({ signedIn, isAdmin }: CommandPaletteShortcutsProps): ReactNode {
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null);

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const asked = event.defaultPrevented ? null : dialogOf(event);
      // An open dialog handles its own keys.
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
      {open === 'palette' ? (
        <Palette isAdmin={isAdmin} onClose={close} onShowKeys={() => setOpen('keys')} signedIn={signedIn} />
      ) : null}
      {open === 'keys' ? <Sheet onClose={close} /> : null}
    </Suspense>
  );
}

/**
 * Returns the dialog for a key. On some keyboards, the slash requires Shift. The shortcut `?` can be disabled on the
 * sheet that it opens.
 */
function dialogOf(event: KeyboardEvent): 'palette' | 'keys' | null {
  if (event.key === '?' && !event.ctrlKey && !event.metaKey && !event.altKey)
    return isTyping(event.target) || !isQuestionMarkOn() ? null : 'keys';
  if (!isCommand(event)) return null;
  if (event.key === '/') return 'keys';
  return event.key.toLowerCase() === 'k' && !event.shiftKey ? 'palette' : null;
}
