import { bool, row, text } from '../../platform/db/rows';
import { execute } from '../../platform/db/sql';
import type { NotificationKind } from '../schema';

const choiceRow = row({ kind: text(), wanted: bool() });

/** Returns the user's explicit choices by kind of email. */
export async function selectNotificationPreferences(userId: string): Promise<Map<string, boolean>> {
  const rows = await choiceRow.query(
    'notification-choices',
    'SELECT kind, wanted FROM notification_preference WHERE user_id = $1',
    [userId],
  );
  return new Map(rows.map(({ kind, wanted }) => [kind, wanted]));
}

/** Stores a user's choice for one kind of email. Does nothing if the user was deleted. */
export async function upsertNotificationPreference(
  preference: { userId: string; kind: NotificationKind; wanted: boolean },
  now: Date,
): Promise<void> {
  const { userId, kind, wanted } = preference;
  await execute(
    'notification-choose',
    `INSERT INTO notification_preference (user_id, kind, wanted, updated_at)
     SELECT id, $2, $3, $4 FROM "user" WHERE id = $1
     ON CONFLICT (user_id, kind) DO UPDATE SET wanted = EXCLUDED.wanted, updated_at = EXCLUDED.updated_at`,
    [userId, kind, wanted, now],
  );
}
