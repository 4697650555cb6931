/** The beginning of a text for display: at most `longest` UTF-16 units, with an ellipsis where something was cut off. */
export function shortened(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text
    .slice(0, longest - 1)
    .toWellFormed()
    .replace(/\ufffd$/, '')
    .trimEnd()}…`;
}
