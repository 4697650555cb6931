import { useEffect } from 'react';

/** Esc stops the agent, wherever the focus is, unless it closes something that is open. */
export function useStopKey(active: boolean, onStop: () => void): void {
  useEffect(() => {
    if (!active) return;
    function onKeyDown(event: KeyboardEvent): void {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
      if (document.querySelector('[role="dialog"], [role="menu"], :popover-open')) return;
      onStop();
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [active, onStop]);
}
