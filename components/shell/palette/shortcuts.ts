import { useCallback, useState } from 'react';

/** Keyboard shortcuts and the pages on which they apply. */
export const shortcuts = [
  { shortcut: 'search', where: 'everywhere' },
  { shortcut: 'sheet', where: 'everywhere' },
  { shortcut: 'help', where: 'everywhere' },
  { shortcut: 'close', where: 'everywhere' },
  { shortcut: 'send', where: 'chat' },
  { shortcut: 'newLine', where: 'chat' },
  { shortcut: 'queue', where: 'chat' },
] as const;

/** Returns true while keys belong to the text being typed. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}

/**
 * Returns true for Ctrl or ⌘ with a key. In text fields on Apple systems, only ⌘ counts, because Ctrl K deletes to the
 * end of the line.
 */
export function isCommand({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (altKey) return false;
  return metaKey || (ctrlKey && !(isTyping(target) && isApple()));
}

/** Returns true on a Mac, an iPhone or an iPad, whose command key is ⌘. Only for browsers. */
export function isApple(): boolean {
  return /^(Mac|iP)/.test(navigator.platform);
}

/**
 * Stored in the browser. A single-character shortcut, which speech input could trigger, must have an off switch (WCAG
 * 2.1.4).
 */
const settingName = 'parley.question-mark';

/** Returns true if a single ? opens the keyboard shortcuts. */
export function isQuestionMarkOn(): boolean {
  try {
    return localStorage.getItem(settingName) !== 'off';
  } catch {
    return true;
  }
}

/** Returns the setting, and a function that changes it. */
export function useQuestionMark(): [isOn: boolean, set: (isOn: boolean) => void] {
  const [isOn, setOn] = useState(isQuestionMarkOn);
  const set = useCallback((next: boolean) => {
    setOn(next);
    try {
      if (next) localStorage.removeItem(settingName);
      else localStorage.setItem(settingName, 'off');
    } catch {
      // If storage is disabled, the shortcut stays enabled in other tabs.
    }
  }, []);
  return [isOn, set];
}
