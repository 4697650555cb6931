import type { Call } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { newSecret, sha256 } from '../../platform/secrets/crypto';
import { accountExists, signUpLinkInvalid } from '../errors';
import { CONFIRMATION_LINK_MS } from '../limits';
import { accountExistsEmail, confirmationEmail } from '../mail/emails';
import { sendMail } from '../mail/mail';
import { hashPassword, requireStrongPassword, verifyPassword } from '../proofs/password-hash';
import { limitPasswordAttempts, limitSignUps } from '../rate-limits';
import { type StartedSession, startSession } from '../sessions/sessions';
import type { ClientInfo } from '../store/session-rows';
import { insertPendingSignUp, redeemSignUp, selectPendingSignUp } from '../store/sign-in-rows';
import { selectLocalAccount } from '../store/users';

/**
 * Starts a sign-up. To create the account, the user follows the emailed link and enters the password again. The
 * response does not reveal whether an account exists; the owner of an existing account receives a different email.
 * Requires no authorization.
 * @throws {ParleyError} `rate_limited`; `invalid_request` for a weak or common password; `unavailable` if no email can
 *   be sent
 */
export async function signUp({
  ctx,
  input,
}: Call<{ email: string; name: string; password: string; next: string; client: ClientInfo }>): Promise<void> {
  const { email, name, next, client } = input;
  await limitSignUps(email, client.address);
  await requireStrongPassword(input.password, email);
  // Before the query, so that both cases take the same time.
  const passwordHash = await hashPassword(input.password);
  const recipient = { email, locale: client.locale, next };
  if (await selectLocalAccount(email)) return sendMail(accountExistsEmail(recipient), ctx.now);
  const token = newSecret('');
  const expiresAt = new Date(ctx.now.getTime() + CONFIRMATION_LINK_MS);
  await insertPendingSignUp({ tokenHash: sha256(token), email, name, passwordHash, expiresAt }, ctx.now);
  await sendMail(confirmationEmail(recipient, token), ctx.now);
}

/**
 * Returns the email address that a confirmation link confirms; null if the link is unknown, used or expired. Requires
 * no authorization.
 */
export async function findPendingSignUp({ ctx, input }: Call<{ token: string }>): Promise<{ email: string } | null> {
  const pending = await selectPendingSignUp(sha256(input.token), ctx.now);
  return pending && { email: pending.email };
}

/**
 * Creates the account of a sign-up and signs in. The link proves the address; the password proves that the same person
 * signed up, so that signing up with another person's address is useless. Requires no authorization.
 * @throws {ParleyError} `not_found` for a link that is unknown, used or expired; `unauthenticated` for the wrong
 *   password; `conflict` if the address has an account in the meantime; `rate_limited`
 */
export async function confirmSignUp({
  ctx,
  input,
}: Call<{ token: string; password: string; client: ClientInfo }>): Promise<StartedSession> {
  const tokenHash = sha256(input.token);
  const refundAttempt = await limitPasswordAttempts(tokenHash, input.client.address);
  const pending = await selectPendingSignUp(tokenHash, ctx.now);
  if (!pending) throw signUpLinkInvalid();
  if (!(await verifyPassword(input.password, pending.passwordHash))) throw wrongPassword();
  const { email, name, passwordHash } = pending;
  const userId = newId('usr');
  const outcome = await redeemSignUp(tokenHash, { id: userId, email, name, passwordHash, emailVerified: ctx.now });
  if (outcome === 'used') throw signUpLinkInvalid();
  if (outcome === 'taken') throw accountExists();
  await refundAttempt();
  return startSession({ ctx, input: { userId, method: 'sign-up', client: input.client } });
}

function wrongPassword(): ParleyError {
  return new ParleyError(
    'unauthenticated',
    'This is not the password you chose at sign-up. Try again, or sign up again.',
  );
}
