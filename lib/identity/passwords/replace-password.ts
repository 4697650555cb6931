import { passwordChanged, sessionEnded } from '../../observability';
import type { Ctx } from '../../platform/context';
import { errorFields, log } from '../../platform/log';
import { passwordChangedEmail } from '../emails';
import { notifyPerson } from '../notifications/notify-person';
import { hashPassword } from '../password';
import { replacePasswordHash } from '../store/passwords';
import { requireStrongPassword } from './require-strong-password';

/** Revokes the person's access tokens and device sign-ins, which live above this domain. */
export type EndTokens = (ctx: Ctx, userId: string) => Promise<void>;

/**
 * Sets a new password, ends every other session and tells the person by mail.
 * @throws {ParleyError} `invalid_request` when the password is too weak
 */
export async function replacePassword(
  ctx: Ctx,
  person: { userId: string; email: string; password: string },
  { how, keptSession }: { how: 'changed' | 'reset'; keptSession: string | null },
): Promise<void> {
  const { userId, email, password } = person;
  await requireStrongPassword(password, email);
  const passwordHash = await hashPassword(password);
  await replacePasswordHash(
    { userId, passwordHash, currentSessionId: keptSession, verifiedAt: how === 'reset' ? ctx.now : null },
    { changed: passwordChanged(ctx, { userId, how }), ended: sessionEnded(ctx, { userId, why: 'new-password' }) },
  );
  await notifyPerson({ ctx, input: { userId, kind: 'security', mail: passwordChangedEmail(how) } }).catch((error) =>
    // The password is changed whether or not the mail server is there.
    log.error('password.notice_failed', errorFields(error)),
  );
}
