// What a page keeps for its tab. A browser that keeps nothing (storage off or full) loses comfort only.

/** What was kept under the name; null when nothing was, or the browser gives nothing. */
export function readKept(name: string): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Keeps a text under the name until the tab is closed; null takes it away. */
export function keepInTab(name: string, value: string | null): void {
  try {
    if (value === null) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, value);
  } catch {
    // Full or forbidden: what is on the page stays there.
  }
}

/** Takes all of it away. */
export function forgetKept(): void {
  try {
    sessionStorage.clear();
  } catch {
    // Forbidden: then nothing was kept.
  }
}
