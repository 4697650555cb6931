import { invisibleCharacters, strayJoiner } from '../../../lib/protocol/a2a/cards/clean-text';

/** A piece of text, or an invisible character by its code point. */
export type RevealedPiece = { kind: 'text'; text: string } | { kind: 'hidden'; code: string };

const invisible = new RegExp(`${invisibleCharacters.source}|${strayJoiner.source}`, 'gu');

/** Splits a text at characters that reorder or hide text. */
export function splitInvisible(text: string): RevealedPiece[] {
  const pieces: RevealedPiece[] = [];
  let from = 0;
  for (const { 0: character, index } of text.matchAll(invisible)) {
    if (index > from) pieces.push({ kind: 'text', text: text.slice(from, index) });
    pieces.push({ kind: 'hidden', code: codeOf(character) });
    from = index + character.length;
  }
  if (from < text.length) pieces.push({ kind: 'text', text: text.slice(from) });
  return pieces;
}

/** The same as one string, where no elements are allowed: `a‹U+202E›b`. */
export function revealInvisible(text: string): string {
  return splitInvisible(text)
    .map((piece) => (piece.kind === 'text' ? piece.text : `‹${piece.code}›`))
    .join('');
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
