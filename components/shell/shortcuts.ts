/** Keys that work outside of text fields, and where they do. */
export const shortcuts = [
  { shortcut: 'search', where: 'everywhere' },
  { shortcut: 'sheet', where: 'everywhere' },
  { shortcut: 'close', where: 'everywhere' },
  { shortcut: 'send', where: 'chat' },
  { shortcut: 'newLine', where: 'chat' },
] as const;

/** True while keys belong to what is typed in. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}
