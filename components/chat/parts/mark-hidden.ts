import { invisibleCharacters, strayJoiner } from '../../../lib/protocol/a2a/cards/clean-text';

/** A piece of text as it is, or a character that nobody would see, by its number. */
export type MarkedPiece = { kind: 'text'; text: string } | { kind: 'hidden'; code: string };

const invisible = new RegExp(`${invisibleCharacters.source}|${strayJoiner.source}`, 'gu');

/** Takes the characters that reorder, hide or smuggle text (XSS-3) out of a name, and tells where they stood. */
export function markHidden(text: string): MarkedPiece[] {
  const pieces: MarkedPiece[] = [];
  let from = 0;
  for (const { 0: character, index } of text.matchAll(invisible)) {
    if (index > from) pieces.push({ kind: 'text', text: text.slice(from, index) });
    pieces.push({ kind: 'hidden', code: codeOf(character) });
    from = index + character.length;
  }
  if (from < text.length) pieces.push({ kind: 'text', text: text.slice(from) });
  return pieces;
}

/** The same in one line, for places that take no elements: `a‹U+202E›b`. */
export function withMarks(text: string): string {
  return markHidden(text)
    .map((piece) => (piece.kind === 'text' ? piece.text : `‹${piece.code}›`))
    .join('');
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
