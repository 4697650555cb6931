const FEWEST = 30;
const MAX_PIECES = 60;
const CHARACTERS = 24;

/** How many pieces a text of this length is streamed in. */
export function pieceCount(length: number): number {
  return Math.max(FEWEST, Math.min(MAX_PIECES, Math.round(length / CHARACTERS)));
}

/** Cuts a text after white space into about that many pieces. Joined they are the text, character for character. */
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
