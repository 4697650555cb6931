// Invisible characters that reorder, hide or smuggle text (Unicode TR 36): controls, line and paragraph separators,
// direction marks and overrides, soft hyphen, zero-width space, word joiner, invisible operators, interlinear marks,
// tag characters.
export const invisibleCharacters =
  /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

// Joiners are valid in emoji and in Persian and Indic scripts; between Latin letters they are hidden text.
export const strayJoiner = /(?<![^\p{ASCII}])[\u200c\u200d]|[\u200c\u200d](?![^\p{ASCII}])/gu;

/** Returns one line of text without invisible characters; white space is collapsed. */
export function cleanLine(text: string): string {
  return text
    .replace(/[\t-\r\u0085\u2028\u2029]+/g, ' ')
    .replace(invisibleCharacters, '')
    .replace(strayJoiner, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Returns multi-line text without invisible characters; keeps line breaks and tabs. */
export function cleanText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(invisibleCharacters, (character) => (character === '\n' || character === '\t' ? character : ''))
    .replace(strayJoiner, '')
    .trim();
}

/** Truncates a text for display to at most `maxLength` UTF-16 units, including an ellipsis. */
export function truncate(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text
    .slice(0, maxLength - 1)
    .toWellFormed()
    .replace(/\ufffd$/, '')
    .trimEnd()}…`;
}
