import type { Ctx } from '../../platform/context';
import { env } from '../../platform/env';
import { sendMail } from '../mail';
import type { NotificationKind } from '../schema';
import { findUser } from '../session-cache';
import { selectNotificationPreferences } from '../store/notification-preferences';
import { isMandatory, isWanted } from './policy';
import { signUnsubscribeToken, unsubscribeEndpointUrl, unsubscribePageUrl } from './unsubscribe-token';

/**
 * Sends a person a mail of ASCII lines because of something that happened; nothing when they are gone or do not want mails
 * of this kind. Kinds that may be switched off say below how, and tell mail programs (RFC 8058).
 * @throws {ParleyError} `unavailable` when no mail server takes it
 */
export async function notifyPerson({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'now'>;
  input: { userId: string; kind: NotificationKind; mail: { subject: string; lines: string[] } };
}): Promise<void> {
  const { userId, kind, mail } = input;
  const user = await findUser(userId);
  if (!user || !isWanted(kind, await selectNotificationPreferences(userId))) return;
  if (isMandatory(kind)) return sendMail({ ...mail, to: user.email }, ctx.now);
  const token = signUnsubscribeToken({ userId, kind });
  const lines = [
    ...mail.lines,
    '',
    '-- ',
    'No more mails of this kind:',
    unsubscribePageUrl(token),
    ...preferencesFooter(),
  ];
  await sendMail({ ...mail, to: user.email, lines, unsubscribe: unsubscribeEndpointUrl(token) }, ctx.now);
}

function preferencesFooter(): string[] {
  return ['All kinds:', `${env().APP_URL}/settings/notifications`];
}
