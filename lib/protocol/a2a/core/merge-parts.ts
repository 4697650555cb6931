import type { Part } from './model';

/**
 * `more` behind `parts`, for chunks of an artifact: where text meets text of the same kind it becomes one text, to the
 * byte. Neither array is changed.
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
