let menuButton: HTMLElement | null = null;

/** A menu says which button it hangs on, since its items are gone by the time what they open looks for the focus. */
export function rememberMenuButton(button: HTMLElement | null): void {
  menuButton = button;
}

/** What the focus is to go back to after a dialog: what has it now or, when a menu's item had it, the menu's button. */
export function focusOrigin(): HTMLElement | null {
  const { activeElement, body } = document;
  const lost = activeElement === body || activeElement?.closest('[role="menu"]');
  if (lost) return menuButton;
  return activeElement instanceof HTMLElement ? activeElement : null;
}
