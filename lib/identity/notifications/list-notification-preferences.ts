import type { Ctx } from '../../platform/context';
import { requireSession } from '../policy';
import { NOTIFICATION_KINDS, type NotificationPreference } from '../schema';
import { selectNotificationPreferences } from '../store/notification-preferences';
import { isMandatory, isWanted } from './policy';

/** Every kind of mail, and whether the person gets it. */
export async function listNotificationPreferences({ ctx }: { ctx: Ctx }): Promise<NotificationPreference[]> {
  const { userId } = requireSession(ctx.actor);
  const chosen = await selectNotificationPreferences(userId);
  return NOTIFICATION_KINDS.map((kind) => ({ kind, wanted: isWanted(kind, chosen), fixed: isMandatory(kind) }));
}
