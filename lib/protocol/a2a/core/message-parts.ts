import type { Message, Part } from './model';

/**
 * Appends parts of an artifact chunk: adjacent texts with equal attributes are concatenated exactly. Does not modify
 * its arguments.
 */
export function mergeParts(parts: readonly Part[], more: readonly Part[]): Part[] {
  const last = parts.at(-1);
  const [head, ...rest] = more;
  if (last?.kind !== 'text' || head?.kind !== 'text' || !isMergeable(last, head)) return [...parts, ...more];
  return [...parts.slice(0, -1), { ...last, text: last.text + head.text }, ...rest];
}

function isMergeable(a: Part, b: Part): boolean {
  if ((a.mediaType ?? '') !== (b.mediaType ?? '') || a.filename !== b.filename) return false;
  return JSON.stringify(a.metadata ?? {}) === JSON.stringify(b.metadata ?? {});
}

/**
 * Updates a message with another one that has the same `messageId`. Agents send either the whole text or only the new
 * text: a text that starts with the previous one, ignoring white space, replaces it; any other text is appended. Files
 * and data that are not repeated are kept.
 */
export function mergeMessage(known: Message, next: Message): Message {
  const [before, after] = [joinedText(known.parts), joinedText(next.parts)];
  const parts =
    after !== '' && prefixEnd(before, after) !== null
      ? [...next.parts, ...exclude(known.parts, next.parts)]
      : mergeParts(known.parts, exclude(next.parts, known.parts, { texts: true }));
  return { ...known, ...next, parts };
}

/** Returns true for the same message id or the same parts: messages of A2A 0.1 have no ids. */
export function hasSameContent(a: Message, b: Message): boolean {
  return a.messageId === b.messageId || JSON.stringify(a.parts) === JSON.stringify(b.parts);
}

/** Returns the concatenated text of the parts. */
export function joinedText(parts: readonly Part[]): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}

/** Returns the end of `prefix` in `text`, ignoring white space; null if the text does not start with it. */
export function prefixEnd(prefix: string, text: string): number | null {
  let at = 0;
  for (const character of prefix) {
    if (isSpace(character)) continue;
    while (at < text.length && isSpace(text[at] ?? '')) at++;
    if (!text.startsWith(character, at)) return null;
    at += character.length;
  }
  return at;
}

/** Returns the parts that are not in `others`. Texts are omitted unless `texts` is set. */
function exclude(parts: readonly Part[], others: readonly Part[], { texts = false } = {}): Part[] {
  const known = new Set(others.filter(({ kind }) => kind !== 'text').map((part) => JSON.stringify(part)));
  return parts.filter((part) => (part.kind === 'text' ? texts : !known.has(JSON.stringify(part))));
}

function isSpace(character: string): boolean {
  return /\s/.test(character);
}

/**
 * Returns the parts of `theirs` that follow `ours`; null if `ours` is not a prefix. Adjacent texts count as one,
 * because agents may join or split appended chunks; the result completes the text exactly.
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
    if (!isSamePart(part, other)) return null;
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

function isSamePart(a: Part, b: Part): boolean {
  if (a.kind === 'text' && b.kind === 'text') return a.text === b.text;
  if (a.kind === 'bytes' && b.kind === 'bytes') return a.bytes === b.bytes;
  if (a.kind === 'uri' && b.kind === 'uri') return a.uri === b.uri;
  return a.kind === 'data' && b.kind === 'data' && JSON.stringify(a.data) === JSON.stringify(b.data);
}
