import type { Call } from '../../platform/context';
import { errorFields, log } from '../../platform/runtime/log';
import { newSecret, sha256 } from '../../platform/secrets/crypto';
import { linkExpired } from '../errors';
import { MAGIC_LINK_MS } from '../limits';
import { passwordResetEmail, signInElsewhereEmail, signInLinkEmail } from '../mail/emails';
import { sendMail } from '../mail/mail';
import { limitMagicLinks, limitPasswordAttempts } from '../rate-limits';
import { findUser } from '../sessions/session-cache';
import { type StartedSession, startSession } from '../sessions/sessions';
import type { ClientInfo } from '../store/session-rows';
import { consumeMagicLink, insertMagicLink, type LinkPurpose, selectMagicLink } from '../store/sign-in-rows';
import { selectLocalAccount } from '../store/users';

interface LinkRequest {
  email: string;
  purpose: LinkPurpose;
  next: string;
  client: ClientInfo;
}

/**
 * Emails a link for signing in or setting a new password. The email is sent after the response, so that neither the
 * response nor its timing reveals whether an account exists. Requires no authorization.
 * @throws {ParleyError} `rate_limited`, regardless of whether there is an account
 */
export async function requestLink({ ctx, input }: Call<LinkRequest>): Promise<void> {
  await limitMagicLinks(input.email, input.client.address);
  const { now } = ctx;
  sendLink(input, now).catch((error: unknown) => log.error('magic_link.failed', errorFields(error)));
}

async function sendLink({ email, purpose, next, client }: LinkRequest, now: Date): Promise<void> {
  const recipient = { email, locale: client.locale, next };
  const account = await selectLocalAccount(email);
  if (!account || account.suspended) return;
  // At an unverified address, the recipient may not be the user who created the account.
  if (!account.isEmailVerified) return sendMail(signInElsewhereEmail(recipient), now);
  const token = newSecret('');
  const expiresAt = new Date(now.getTime() + MAGIC_LINK_MS);
  await insertMagicLink({ tokenHash: sha256(token), userId: account.userId, purpose, expiresAt }, now);
  const template = purpose === 'reset' ? passwordResetEmail : signInLinkEmail;
  await sendMail(template(recipient, token), now);
}

/**
 * Returns the user that a magic link authenticates; null if the link is unknown, used or expired. Does not consume the
 * link.
 */
export async function findLinkOwner({
  ctx,
  input,
}: Call<{ token: string; purpose: LinkPurpose }>): Promise<{ userId: string; email: string } | null> {
  const link = await selectMagicLink(sha256(input.token), input.purpose, ctx.now);
  const user = link && (await findUser(link.userId));
  return user && !user.suspended ? { userId: user.id, email: user.email } : null;
}

/**
 * Signs a user in with a magic link and consumes it. Must be called by a button and never by opening the link, so that
 * mail scanners that follow links do not consume it. Requires no authorization.
 * @throws {ParleyError} `not_found` for a link that is unknown, used or expired; `rate_limited`
 */
export async function signInWithLink({
  ctx,
  input,
}: Call<{ token: string; client: ClientInfo }>): Promise<StartedSession> {
  const tokenHash = sha256(input.token);
  const refundAttempt = await limitPasswordAttempts(tokenHash, input.client.address);
  const owner = await findLinkOwner({ ctx, input: { token: input.token, purpose: 'sign-in' } });
  if (!owner || !(await consumeMagicLink(tokenHash))) throw linkExpired();
  await refundAttempt();
  return startSession({ ctx, input: { userId: owner.userId, method: 'mail-link', client: input.client } });
}
