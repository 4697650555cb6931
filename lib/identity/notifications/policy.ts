import type { NotificationKind } from '../schema';

/** Who may lose an account or a listing must hear of it: these kinds cannot be switched off. */
const mandatoryKinds: readonly NotificationKind[] = ['moderation', 'security'];

export function isMandatory(kind: NotificationKind): boolean {
  return mandatoryKinds.includes(kind);
}

/** Whether a mail of the kind goes out, given what the person chose. Everything comes until they say otherwise. */
export function isWanted(kind: NotificationKind, chosen: ReadonlyMap<string, boolean>): boolean {
  return isMandatory(kind) || (chosen.get(kind) ?? true);
}
