import { useEffect } from 'react';
import { isEditingElsewhere } from '../../../ui/overlays/focus';

/** Questions that have received the focus, so that scrolling back to one does not move it again. */
const focusedKeys = new Set<string>();

/**
 * Moves the focus to a new question once, unless the user is typing elsewhere, and shows the start of one that is longer than
 * the window.
 */
export function useFirstFocus(element: { current: HTMLElement | null }, key: string | null): void {
  useEffect(() => {
    if (key === null || focusedKeys.has(key)) return;
    focusedKeys.add(key);
    const { activeElement: active } = document;
    const isUnused = active instanceof HTMLTextAreaElement && active.value === '';
    if (!isUnused && isEditingElsewhere(element.current)) return;
    element.current?.focus({ preventScroll: true });
    // After the thread has scrolled to its end.
    requestAnimationFrame(() => {
      const question = element.current?.getBoundingClientRect();
      const log = element.current?.closest('[role="log"]')?.getBoundingClientRect();
      if (question && log && question.top < log.top)
        element.current?.closest('article')?.scrollIntoView({ block: 'start' });
    });
  }, [element, key]);
}
