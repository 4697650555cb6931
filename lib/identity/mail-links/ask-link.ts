import type { Ctx } from '../../platform/context';
import { newSecret, sha256 } from '../../platform/crypto';
import { errorFields, log } from '../../platform/log';
import { admitLinkMail } from '../limits';
import { sendMail } from '../mail';
import { resetMail, signInElsewhereMail, signInMail } from '../mails';
import { LINK_MS } from '../policy';
import { insertMailLink, type LinkPurpose } from '../store/mail-links';
import { selectLocalAccount } from '../store/users';

interface Asked {
  email: string;
  purpose: LinkPurpose;
  next: string;
}

/**
 * Asks for a link by mail, to sign in by or to set a new password. The caller learns nothing about the address, not even by
 * the time it takes: what is done for an account goes on after the answer. Open to all.
 * @throws {ParleyError} `rate_limited`, alike whether or not there is an account
 */
export async function askLink({ ctx, input }: { ctx: Ctx; input: Asked & { address: string } }): Promise<void> {
  await admitLinkMail(input.email, input.address);
  const { now } = ctx;
  mailLink(input, now).catch((error: unknown) => log.error('mail_link.failed', errorFields(error)));
}

async function mailLink({ email, purpose, next }: Asked, now: Date): Promise<void> {
  const account = await selectLocalAccount(email);
  if (!account || account.suspended) return;
  // Whoever reads the mails of an address that nobody proved need not be who made the account.
  if (!account.proved) return sendMail(signInElsewhereMail(email, next), now);
  const token = newSecret('');
  const expiresAt = new Date(now.getTime() + LINK_MS);
  await insertMailLink({ tokenHash: sha256(token), userId: account.userId, purpose, expiresAt }, now);
  const mail = purpose === 'reset' ? resetMail : signInMail;
  await sendMail(mail(email, token, next), now);
}
