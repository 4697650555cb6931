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

/** True while keys belong to the text being typed. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}

/**
 * True for Ctrl or ⌘ with a key. In text fields on Apple systems Ctrl K deletes to the end of the line, so only ⌘
 * counts there.
 */
export function isCommand({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (altKey) return false;
  return metaKey || (ctrlKey && !(isTyping(target) && isApple()));
}

/** True on a Mac, an iPhone or an iPad, whose command key is ⌘. Browser only. */
export function isApple(): boolean {
  return /^(Mac|iP)/.test(navigator.platform);
}

/** Kept in the browser: a single-character shortcut that speech input could trigger must have an off switch (WCAG 2.1.4). */
const settingName = 'parley.question-mark';

/** True if a single ? opens the keyboard shortcuts. */
export function isQuestionMarkOn(): boolean {
  try {
    return localStorage.getItem(settingName) !== 'off';
  } catch {
    return true;
  }
}

/** The setting, and a function that changes it. */
export function useQuestionMark(): [isOn: boolean, set: (isOn: boolean) => void] {
  const [isOn, setOn] = useState(isQuestionMarkOn);
  const set = useCallback((next: boolean) => {
    setOn(next);
    try {
      if (next) localStorage.removeItem(settingName);
      else localStorage.setItem(settingName, 'off');
    } catch {
      // Disabled storage: it stays on in other tabs.
    }
  }, []);
  return [isOn, set];
}
