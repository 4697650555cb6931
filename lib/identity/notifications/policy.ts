import type { NoticeKind } from '../schema';

/** Who may lose an account or a listing must hear of it: these kinds cannot be switched off. */
const fixed: readonly NoticeKind[] = ['moderation', 'security'];

export function isFixed(kind: NoticeKind): boolean {
  return fixed.includes(kind);
}

/** Whether a mail of the kind goes out, given what the person chose. Everything comes until they say otherwise. */
export function isWanted(kind: NoticeKind, chosen: ReadonlyMap<string, boolean>): boolean {
  return isFixed(kind) || (chosen.get(kind) ?? true);
}
