/** Parsing takes time with the square of these; up to them it is a fraction of a second. */
const MOST_CHARACTERS = 50_000;
const MOST_MARKS = 3_000;
const MOST_NESTED = 30;

const nested = new RegExp(`^(?:[ \\t]*(?:>|[-*+](?=[ \\t])|\\d{1,9}[.)](?=[ \\t]))){${MOST_NESTED}}`, 'm');

/** False for a block of Markdown that is made to keep a browser busy; it is shown as it was written. */
export function isDrawable(block: string): boolean {
  if (nested.test(block)) return false;
  if (isFence(block)) return true;
  return block.length <= MOST_CHARACTERS && countMarks(block) <= MOST_MARKS;
}

/** One fence from the first line to the last: code is read in one go, however long it is. */
function isFence(block: string): boolean {
  const fences = [...block.matchAll(/^ {0,3}(?:`{3}|~{3}).*$/gm)];
  const [first, last] = [fences[0], fences[1]];
  if (first?.index !== 0 || fences.length > 2) return false;
  return !last || block.slice(last.index + last[0].length).trim() === '';
}

function countMarks(block: string): number {
  let count = 0;
  for (const _mark of block.matchAll(/[*_~`$]+|\[|\\\(/g)) count++;
  return count;
}
