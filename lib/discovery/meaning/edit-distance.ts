/** Maximum characters of a word that is too short for two mistakes. */
const SHORT_WORD = 5;

/** Maximum distance up to which a word counts as a misspelling. */
export function maxDistance(word: string): number {
  return word.length <= SHORT_WORD ? 1 : 2;
}

/**
 * The number of characters to insert, delete, replace or swap with their neighbor to get from one word to the other
 * (optimal string alignment). Trigrams alone undervalue swaps.
 */
export function editDistance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, row) => [row, ...Array<number>(b.length).fill(0)]);
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0;
  for (let column = 1; column <= b.length; column++) (rows[0] as number[])[column] = column;
  for (let row = 1; row <= a.length; row++) {
    for (let column = 1; column <= b.length; column++) {
      const replaced = at(row - 1, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      let best = Math.min(replaced, at(row - 1, column) + 1, at(row, column - 1) + 1);
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isSwap) best = Math.min(best, at(row - 2, column - 2) + 1);
      (rows[row] as number[])[column] = best;
    }
  }
  return at(a.length, b.length);
}
