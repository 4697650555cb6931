import type { Call } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { newId } from '../../platform/ids';
import { newSecret, sha256 } from '../../platform/secrets/crypto';
import { accountExists, signUpLinkInvalid } from '../errors';
import { CONFIRMATION_LINK_MS } from '../limits';
import { accountExistsEmail, confirmationEmail } from '../mail/emails';
import { sendMail } from '../mail/mail';
import { hashPassword, requireStrongPassword, verifyPassword } from '../passwords/password-hash';
import { limitPasswordAttempts, limitSignUps } from '../rate-limits';
import { type StartedSession, startSession } from '../sessions/sessions';
import type { ClientInfo } from '../store/session-rows';
import { insertPendingSignUp, redeemSignUp, selectPendingSignUp } from '../store/sign-in-rows';
import { selectLocalAccount } from '../store/users';

/**
 * Starts a sign-up; following the mailed link and entering the password again creates the account. The response does
 * not reveal the existence of an account: the owner of an existing account receives a mail instead. No authorization
 * required.
 * @throws {ParleyError} `rate_limited`; `invalid_request` for a weak or common password; `unavailable` when no mail can
 * be sent
 */
export async function signUp({
  ctx,
  input,
}: Call<{ email: string; name: string; password: string; next: string; address: string }>): Promise<void> {
  const { email, name, next } = input;
  await limitSignUps(email, input.address);
  await requireStrongPassword(input.password, email);
  // Before the query, so that both cases take the same time.
  const passwordHash = await hashPassword(input.password);
  if (await selectLocalAccount(email)) return sendMail(accountExistsEmail(email, next), ctx.now);
  const token = newSecret('');
  const expiresAt = new Date(ctx.now.getTime() + CONFIRMATION_LINK_MS);
  await insertPendingSignUp({ tokenHash: sha256(token), email, name, passwordHash, expiresAt }, ctx.now);
  await sendMail(confirmationEmail(email, token, next), ctx.now);
}

/**
 * The address that a confirmation link confirms; null when it is unknown, used or expired. No authorization required.
 */
export async function findPendingSignUp({ ctx, input }: Call<{ token: string }>): Promise<{ email: string } | null> {
  const pending = await selectPendingSignUp(sha256(input.token), ctx.now);
  return pending && { email: pending.email };
}

/**
 * Creates the account of a sign-up and signs in. The link proves the address; the password proves that the same person
 * signed up, so signing up with another person's address is useless. No authorization required.
 * @throws {ParleyError} `not_found` for a link that is unknown, used or expired; `unauthenticated` for the wrong
 * password; `conflict` when the address has an account by now; `rate_limited`
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
