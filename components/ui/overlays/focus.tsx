'use client';

import { useEffect } from 'react';

let menuButton: HTMLElement | null = null;

/**
 * Records a menu's button, because the menu's items no longer exist when a dialog that was opened from it looks for the
 * focus origin.
 */
export function rememberMenuButton(button: HTMLElement | null): void {
  menuButton = button;
}

/**
 * Returns the element to which the focus returns after a dialog: the focused element or, if that was a menu item, the
 * menu's button.
 */
export function focusOrigin(): HTMLElement | null {
  const { activeElement, body } = document;
  const lost = activeElement === body || activeElement?.closest('[role="menu"]');
  if (lost) return menuButton;
  return activeElement instanceof HTMLElement ? activeElement : null;
}

/** Returns true while the user types in another field or a dialog is open, so that the focus must not move. */
export function isEditingElsewhere(field: HTMLElement | null): boolean {
  const active = document.activeElement;
  if (active === null || active === field) return false;
  return active.matches('input, textarea, select') || active.closest('[role="dialog"], [role="menu"]') !== null;
}

interface Held {
  element: Element;
  /** The page on which the element was focused. */
  page: string;
}

/**
 * Moves the focus to a nearby element when the focused element is removed: to the row after a deleted one, otherwise to
 * the list. Without this, the browser would move it to the top of the page. Mounted once, in the root layout; never
 * overrides another focus.
 */
export function FocusManager(): null {
  useEffect(() => {
    let held: Held | null = null;
    function hold({ target }: FocusEvent): void {
      if (target instanceof Element) held = { element: target, page: location.pathname };
    }
    function release(): void {
      // Browsers also fire this when an element is removed. One microtask later, a removed element is disconnected,
      // whereas after a click elsewhere it is not.
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

/** Menus, whole dialogs and toasts are outside of these elements and restore the focus themselves. */
const within = ['main', 'nav', 'aside', '[role="dialog"]'].join();

function focusNear({ target, previousSibling, nextSibling }: MutationRecord): void {
  if (!(target instanceof HTMLElement) || !target.closest(within)) return;
  const successor = [
    firstVisible(nextSibling, 'nextSibling'),
    firstVisible(previousSibling, 'previousSibling'),
    target,
  ].find(Boolean);
  if (!successor) return;
  // Focuses the element itself and not a button in it, because a second key press must not delete the next row.
  if (!successor.matches('input, textarea, select, [tabindex]')) {
    successor.tabIndex = -1;
    successor.addEventListener('blur', () => successor.removeAttribute('tabindex'), { once: true });
  }
  successor.focus({ preventScroll: true });
}

/** Returns the first visible element from a position on. */
function firstVisible(from: Node | null, way: 'nextSibling' | 'previousSibling'): HTMLElement | null {
  for (let node = from; node; node = node[way]) {
    if (node instanceof HTMLElement && node.isConnected && node.checkVisibility() && node.offsetHeight > 1) return node;
  }
  return null;
}
