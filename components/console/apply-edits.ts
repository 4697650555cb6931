import type { FixableFault } from '@/lib/catalog/schema';

type Edits = NonNullable<FixableFault['edits']>;

/** The text with the replacements in it; from the end, so that places before stay where they are. */
export function applyEdits(text: string, edits: Edits): string {
  return [...edits]
    .sort((a, b) => b.offset - a.offset)
    .reduce(
      (known, { offset, length, content }) => known.slice(0, offset) + content + known.slice(offset + length),
      text,
    );
}
