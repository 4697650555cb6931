/** Keys of the site, and where they work. */
export const shortcuts = [
  { shortcut: 'search', where: 'everywhere' },
  { shortcut: 'sheet', where: 'everywhere' },
  { shortcut: 'close', where: 'everywhere' },
  { shortcut: 'send', where: 'chat' },
  { shortcut: 'newLine', where: 'chat' },
] as const;

/** True while keys belong to what is typed in. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}

/** True for Ctrl or ⌘ with a key; in the text fields of Apple's systems Ctrl K cuts the rest of the line, so only ⌘ counts there. */
export function isCommand({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (altKey) return false;
  return metaKey || (ctrlKey && !(isTyping(target) && /^(Mac|iP)/.test(navigator.platform)));
}
