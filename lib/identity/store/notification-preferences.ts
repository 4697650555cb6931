import { db } from '../../platform/db';
import type { NotificationKind } from '../schema';

/** The user's explicit choices by kind. */
export async function selectNotificationPreferences(userId: string): Promise<Map<string, boolean>> {
  const rows = await db().notificationPreference.findMany({ where: { userId }, select: { kind: true, wanted: true } });
  return new Map(rows.map(({ kind, wanted }) => [kind, wanted]));
}

/** Stores one choice; does nothing when the user was deleted. */
export async function upsertNotificationPreference(
  preference: { userId: string; kind: NotificationKind; wanted: boolean },
  now: Date,
): Promise<void> {
  const { userId, kind, wanted } = preference;
  await db().$executeRaw`
    INSERT INTO notification_preference (user_id, kind, wanted, updated_at)
    SELECT id, ${kind}, ${wanted}, ${now} FROM "user" WHERE id = ${userId}
    ON CONFLICT (user_id, kind) DO UPDATE SET wanted = EXCLUDED.wanted, updated_at = EXCLUDED.updated_at`;
}
