/** Keyboard shortcuts and where they apply. */
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

/** The label of the command key on this keyboard. Browser only. */
export function commandKey(): string {
  return isApple() ? '⌘' : 'Ctrl';
}

function isApple(): boolean {
  return /^(Mac|iP)/.test(navigator.platform);
}
