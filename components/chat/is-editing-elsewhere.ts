/** True while the user types in another field or a dialog is open: then the focus must not move. */
export function isEditingElsewhere(field: HTMLElement | null): boolean {
  const active = document.activeElement;
  if (active === null || active === field) return false;
  return active.matches('input, textarea, select') || active.closest('[role="dialog"], [role="menu"]') !== null;
}
