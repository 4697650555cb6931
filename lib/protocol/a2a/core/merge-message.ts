import { mergeParts } from './merge-parts';
import type { Message, Part } from './model';

/**
 * A message after another update with the same `messageId`. Agents send either the whole text so far or only what is new:
 * a text that starts with the earlier one, white space aside, replaces it; any other text is appended. Files and data that
 * the update does not repeat are kept.
 */
export function mergeMessage(known: Message, next: Message): Message {
  const [before, after] = [joinedText(known.parts), joinedText(next.parts)];
  const parts =
    after !== '' && prefixEnd(before, after) !== null
      ? [...next.parts, ...exclude(known.parts, next.parts)]
      : mergeParts(known.parts, exclude(next.parts, known.parts, { texts: true }));
  return { ...known, ...next, parts };
}

/** All text of these parts in one piece. */
export function joinedText(parts: readonly Part[]): string {
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}

/** Where in `text` what stands in `prefix` ends, white space aside; null when the text does not begin with it. */
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

/** What of `parts` is not in `others`; its texts are left out too, unless they are asked for. */
function exclude(parts: readonly Part[], others: readonly Part[], { texts = false } = {}): Part[] {
  const known = new Set(others.filter(({ kind }) => kind !== 'text').map((part) => JSON.stringify(part)));
  return parts.filter((part) => (part.kind === 'text' ? texts : !known.has(JSON.stringify(part))));
}

function isSpace(character: string): boolean {
  return /\s/.test(character);
}
