/** True while somebody writes in another field or works in a layer: nobody else takes the focus then. */
export function isWritingElsewhere(field: HTMLElement | null): boolean {
  const active = document.activeElement;
  if (active === null || active === field) return false;
  return active.matches('input, textarea, select') || active.closest('[role="dialog"], [role="menu"]') !== null;
}
