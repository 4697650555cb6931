// Session storage. If it is unavailable (disabled or full), nothing but convenience is lost.

/** The stored value; null if there is none or storage is unavailable. */
export function readSessionItem(name: string): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Stores a value until the tab is closed; null removes it. */
export function setSessionItem(name: string, value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, value);
  } catch {
    // Full or disabled: the value stays in the page only.
  }
}

/** Removes all items. */
export function clearSessionItems(): void {
  try {
    sessionStorage.clear();
  } catch {
    // Disabled: nothing was stored.
  }
}
