'use client';

import { useEffect } from 'react';

interface Held {
  element: Element;
  /** The page on which it had the focus. */
  page: string;
}

/**
 * Keeps the focus near when what had it goes: to the row after a deleted one, to the list after its last. Else it would fall to
 * the page's top, and the keyboard with it. Mounted once, in the root layout; what takes the focus itself is let be.
 */
export function FocusKeeper(): null {
  useEffect(() => {
    let held: Held | null = null;
    function hold({ target }: FocusEvent): void {
      if (target instanceof Element) held = { element: target, page: location.pathname };
    }
    function release(): void {
      // Browsers say so too when an element goes; a moment later it is gone, where somebody who clicks elsewhere leaves it.
      queueMicrotask(() => {
        if (held?.element.isConnected && document.activeElement === document.body) held = null;
      });
    }
    const observer = new MutationObserver((records) => {
      if (!held || held.element.isConnected || document.activeElement !== document.body) return;
      const { element, page } = held;
      held = null;
      if (page !== location.pathname) return;
      const record = records.find(({ target, removedNodes }) => {
        return target.isConnected && [...removedNodes].some((node) => node.contains(element));
      });
      if (record) focusNear(record);
    });
    document.addEventListener('focusin', hold);
    document.addEventListener('focusout', release);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', hold);
      document.removeEventListener('focusout', release);
      observer.disconnect();
    };
  }, []);
  return null;
}

/** Menus, dialogs as a whole and news stand outside of these; they give the focus back themselves. */
const within = ['main', 'nav', 'aside', '[role="dialog"]'].join();

function focusNear({ target, previousSibling, nextSibling }: MutationRecord): void {
  if (!(target instanceof HTMLElement) || !target.closest(within)) return;
  const place = [seen(nextSibling, 'nextSibling'), seen(previousSibling, 'previousSibling'), target].find(Boolean);
  if (!place) return;
  // The place itself and no button in it: who presses the key once more must not delete the next one.
  if (!place.matches('input, textarea, select, [tabindex]')) {
    place.tabIndex = -1;
    place.addEventListener('blur', () => place.removeAttribute('tabindex'), { once: true });
  }
  place.focus({ preventScroll: true });
}

/** The first visible element from there on. */
function seen(from: Node | null, way: 'nextSibling' | 'previousSibling'): HTMLElement | null {
  for (let node = from; node; node = node[way]) {
    if (node instanceof HTMLElement && node.isConnected && node.checkVisibility() && node.offsetHeight > 1) return node;
  }
  return null;
}
