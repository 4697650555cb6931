/** Keys that work anywhere on the site, outside of text fields. */
export const shortcuts: { keys: string; does: string; where: string }[] = [
  { keys: 'Ctrl K or ⌘ K', does: 'Search and go anywhere', where: 'Everywhere' },
  { keys: '?', does: 'Show these keys', where: 'Everywhere' },
  { keys: 'Esc', does: 'Close what is open; in a conversation, stop the answer', where: 'Everywhere' },
  { keys: 'Enter', does: 'Send', where: 'Chat' },
  { keys: 'Shift Enter', does: 'Begin a new line', where: 'Chat' },
];

/** True while keys belong to what is typed in. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}
