const maxLength = 60;

/** The name of a new conversation: how its first message begins, in one line of about 60 characters. */
export function titleOf(text: string, fileNames: string[]): string {
  const line = oneLine(text) || oneLine(fileNames[0] ?? '') || 'Conversation';
  const characters = [...line];
  if (characters.length <= maxLength) return line;
  const cut = characters.slice(0, maxLength).join('');
  const space = cut.lastIndexOf(' ');
  return `${(space > maxLength / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
