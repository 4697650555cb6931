/**
 * Maximum characters, lines and marks of a block. Parsing time is quadratic in them; up to these limits it takes a
 * fraction of a second.
 */
const MAX_BLOCK_CHARACTERS = 50_000;
const MAX_MARKS = 3_000;
const MAX_NESTED = 30;

const nested = new RegExp(`^(?:[ \\t]*(?:>|[-*+](?=[ \\t])|\\d{1,9}[.)](?=[ \\t]))){${MAX_NESTED}}`, 'm');

/** False for a Markdown block crafted to keep a browser busy; it is shown as plain text. */
export function isRenderable(block: string): boolean {
  if (nested.test(block)) return false;
  if (isFence(block)) return true;
  return block.length <= MAX_BLOCK_CHARACTERS && countMarks(block) <= MAX_MARKS;
}

/** One fence from the first line to the last: code parses in linear time. */
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
