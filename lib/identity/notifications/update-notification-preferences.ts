import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { requireSession } from '../policy';
import { NOTIFICATION_KINDS, type NotificationKind } from '../schema';
import { upsertNotificationPreference } from '../store/notification-preferences';
import { isMandatory } from './policy';

/**
 * Says which kinds of mail the person wants; kinds that are not named stay as they are.
 * @throws {ParleyError} `unauthenticated`; `invalid_request` for a kind that cannot be switched off
 */
export async function updateNotificationPreferences({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: Partial<Record<NotificationKind, boolean>>;
}): Promise<void> {
  const { userId } = requireSession(ctx.actor);
  for (const kind of NOTIFICATION_KINDS) {
    if (input[kind] === false && isMandatory(kind)) throw mandatoryKind(kind);
  }
  for (const kind of NOTIFICATION_KINDS) {
    const wanted = input[kind];
    if (wanted !== undefined && !isMandatory(kind))
      await upsertNotificationPreference({ userId, kind, wanted }, ctx.now);
  }
}

function mandatoryKind(kind: NotificationKind): ParleyError {
  const message = 'found false; mails of this kind cannot be switched off, so leave it out';
  return new ParleyError('invalid_request', `/${kind}: ${message}`, {
    data: { faults: [{ pointer: `/${kind}`, message }] },
  });
}
