const FEWEST = 30;
const MAX_PIECES = 60;
const CHARACTERS = 24;

/** Returns the number of pieces in which a text of this length is streamed. */
export function pieceCount(length: number): number {
  return Math.max(FEWEST, Math.min(MAX_PIECES, Math.round(length / CHARACTERS)));
}

/** Splits a text after white space into approximately that many pieces, which together equal the text. */
export function cutIntoPieces(text: string, count: number): string[] {
  const size = Math.max(1, text.length / count);
  const pieces: string[] = [];
  let start = 0;
  for (const { index } of text.matchAll(/\s(?=\S)/g)) {
    const end = index + 1;
    if (end - start < size) continue;
    pieces.push(text.slice(start, end));
    start = end;
  }
  if (start < text.length) pieces.push(text.slice(start));
  return pieces;
}
