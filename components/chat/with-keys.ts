/** Parts with render keys: parts are only appended, so the index is stable. */
export function withKeys<Item extends { kind: string }>(parts: readonly Item[]): { key: string; part: Item }[] {
  return parts.map((part, index) => ({ key: `${part.kind} ${index}`, part }));
}
