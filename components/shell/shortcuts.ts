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
