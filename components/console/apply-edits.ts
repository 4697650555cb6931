import type { FixableFault } from '@/lib/catalog/schema-cards';

type Edits = NonNullable<FixableFault['edits']>;

/** Applies the edits from the end, so that earlier offsets stay valid. */
export function applyEdits(text: string, edits: Edits): string {
  return [...edits]
    .sort((a, b) => b.offset - a.offset)
    .reduce(
      (known, { offset, length, content }) => known.slice(0, offset) + content + known.slice(offset + length),
      text,
    );
}
