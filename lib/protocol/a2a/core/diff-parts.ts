import type { Part } from './model';

/**
 * The parts that `theirs` has beyond `ours`, when ours are the beginning of theirs; null when they differ. Neighbouring
 * text parts count as one text, because agents keep appended chunks joined or apart as they like: what is returned
 * completes the text to the byte.
 */
export function diffParts(ours: Part[], theirs: Part[]): Part[] | null {
  const mine = joinTexts(ours);
  const full = joinTexts(theirs);
  if (mine.length > full.length) return null;
  for (const [index, part] of mine.entries()) {
    const other = full[index];
    if (!other) return null;
    const isLast = index === mine.length - 1;
    if (isLast && part.kind === 'text' && other.kind === 'text' && other.text.startsWith(part.text)) {
      const rest = other.text.slice(part.text.length);
      const tail = full.slice(index + 1);
      return rest === '' ? tail : [{ ...other, text: rest }, ...tail];
    }
    if (!sameContent(part, other)) return null;
  }
  return full.slice(mine.length);
}

function joinTexts(parts: Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.kind === 'text' && last?.kind === 'text')
      joined[joined.length - 1] = { ...last, text: last.text + part.text };
    else joined.push(part);
  }
  return joined;
}

function sameContent(a: Part, b: Part): boolean {
  if (a.kind === 'text' && b.kind === 'text') return a.text === b.text;
  if (a.kind === 'bytes' && b.kind === 'bytes') return a.bytes === b.bytes;
  if (a.kind === 'uri' && b.kind === 'uri') return a.uri === b.uri;
  return a.kind === 'data' && b.kind === 'data' && JSON.stringify(a.data) === JSON.stringify(b.data);
}
