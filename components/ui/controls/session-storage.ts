// Session storage, and local storage for values that another tab continues to use. If it is unavailable (disabled or
// full), values are not restored, and all other features work.

/** Reads the stored value; null if there is none or storage is unavailable. */
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
    // Full or disabled: the value exists only in the page.
  }
}

const sharedPrefix = 'parley.shared.';

/** Stores a value for every tab of this browser, until it is removed or expires. */
export function shareItem(name: string, value: string, lifetimeMs: number): void {
  try {
    localStorage.setItem(sharedPrefix + name, JSON.stringify({ value, expiresAt: Date.now() + lifetimeMs }));
  } catch {
    // Full or disabled: no other tab has the value.
  }
}

/**
 * Removes and returns a value that any tab stored; null if there is none, it has expired, or storage is unavailable.
 */
export function takeSharedItem(name: string): string | null {
  try {
    const stored = localStorage.getItem(sharedPrefix + name);
    if (stored === null) return null;
    localStorage.removeItem(sharedPrefix + name);
    const { value, expiresAt } = JSON.parse(stored) as { value: string; expiresAt: number };
    return Date.now() < expiresAt ? value : null;
  } catch {
    return null;
  }
}

/** Removes all items of this tab, and all items that it shares with others. */
export function clearSessionItems(): void {
  try {
    sessionStorage.clear();
    for (const name of Object.keys(localStorage)) {
      if (name.startsWith(sharedPrefix)) localStorage.removeItem(name);
    }
  } catch {
    // Disabled: no values were stored.
  }
}
