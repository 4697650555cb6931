import type { Ctx } from '../../platform/context';
import { env } from '../../platform/env';
import { sendMail } from '../mail';
import type { NoticeKind } from '../schema';
import { findUser } from '../session-cache';
import { selectNoticeChoices } from '../store/notice-choices';
import { isFixed, isWanted } from './policy';
import { makeUnsubscribeToken, unsubscribeAddress, unsubscribePage } from './unsubscribe-token';

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
  input: { userId: string; kind: NoticeKind; mail: { subject: string; lines: string[] } };
}): Promise<void> {
  const { userId, kind, mail } = input;
  const user = await findUser(userId);
  if (!user || !isWanted(kind, await selectNoticeChoices(userId))) return;
  if (isFixed(kind)) return sendMail({ ...mail, to: user.email }, ctx.now);
  const token = makeUnsubscribeToken({ userId, kind });
  const lines = [...mail.lines, '', '-- ', 'No more mails of this kind:', unsubscribePage(token), ...allKinds()];
  await sendMail({ ...mail, to: user.email, lines, unsubscribe: unsubscribeAddress(token) }, ctx.now);
}

function allKinds(): string[] {
  return ['All kinds:', `${env().APP_URL}/settings/notifications`];
}
