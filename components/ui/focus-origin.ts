let menuButton: HTMLElement | null = null;

/**
 * Records a menu's button: the menu's items no longer exist when a dialog opened from the menu looks for the focus
 * origin.
 */
export function rememberMenuButton(button: HTMLElement | null): void {
  menuButton = button;
}

/**
 * The element to which the focus returns after a dialog: the focused element or, if that was a menu item, the menu's
 * button.
 */
export function focusOrigin(): HTMLElement | null {
  const { activeElement, body } = document;
  const lost = activeElement === body || activeElement?.closest('[role="menu"]');
  if (lost) return menuButton;
  return activeElement instanceof HTMLElement ? activeElement : null;
}
