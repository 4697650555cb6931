import type { Ctx } from '../../platform/context';
import { newSecret, sha256 } from '../../platform/crypto';
import { errorFields, log } from '../../platform/log';
import { passwordResetEmail, signInElsewhereEmail, signInLinkEmail } from '../emails';
import { sendMail } from '../mail';
import { MAGIC_LINK_LIFETIME_MS } from '../policy';
import { limitMagicLinks } from '../rate-limits';
import { insertMagicLink, type LinkPurpose } from '../store/magic-links';
import { selectLocalAccount } from '../store/users';

interface LinkRequest {
  email: string;
  purpose: LinkPurpose;
  next: string;
}

/**
 * Asks for a link by mail, to sign in by or to set a new password. The caller learns nothing about the address, not even by
 * the time it takes: what is done for an account goes on after the answer. Open to all.
 * @throws {ParleyError} `rate_limited`, alike whether or not there is an account
 */
export async function requestLink({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: LinkRequest & { address: string };
}): Promise<void> {
  await limitMagicLinks(input.email, input.address);
  const { now } = ctx;
  sendLink(input, now).catch((error: unknown) => log.error('mail_link.failed', errorFields(error)));
}

async function sendLink({ email, purpose, next }: LinkRequest, now: Date): Promise<void> {
  const account = await selectLocalAccount(email);
  if (!account || account.suspended) return;
  // Whoever reads the mails of an address that nobody proved need not be who made the account.
  if (!account.isEmailVerified) return sendMail(signInElsewhereEmail(email, next), now);
  const token = newSecret('');
  const expiresAt = new Date(now.getTime() + MAGIC_LINK_LIFETIME_MS);
  await insertMagicLink({ tokenHash: sha256(token), userId: account.userId, purpose, expiresAt }, now);
  const template = purpose === 'reset' ? passwordResetEmail : signInLinkEmail;
  await sendMail(template(email, token, next), now);
}
