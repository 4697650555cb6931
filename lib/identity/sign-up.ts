import type { Ctx } from '../platform/context';
import { newSecret, sha256 } from '../platform/crypto';
import { accountExistsEmail, confirmationEmail } from './emails';
import { sendMail } from './mail';
import { hashPassword } from './password';
import { requireStrongPassword } from './passwords/require-strong-password';
import { CONFIRMATION_LIFETIME_MS } from './policy';
import { limitSignUps } from './rate-limits';
import { insertPendingSignUp } from './store/sign-ups';
import { selectLocalAccount } from './store/users';

/**
 * Asks for an account; it is made when the link in the mail is followed and the password given again. The caller learns
 * nothing about the address: one that has an account gets a mail that says so. Open to all.
 * @throws {ParleyError} `rate_limited`; `invalid_request` for a weak or common password; `unavailable` when no mail can be sent
 */
export async function signUp({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { email: string; name: string; password: string; next: string; address: string };
}): Promise<void> {
  const { email, name, next } = input;
  await limitSignUps(email, input.address);
  await requireStrongPassword(input.password, email);
  // Before the look-up, so that both ways take the same time.
  const passwordHash = await hashPassword(input.password);
  if (await selectLocalAccount(email)) return sendMail(accountExistsEmail(email, next), ctx.now);
  const token = newSecret('');
  const expiresAt = new Date(ctx.now.getTime() + CONFIRMATION_LIFETIME_MS);
  await insertPendingSignUp({ tokenHash: sha256(token), email, name, passwordHash, expiresAt }, ctx.now);
  await sendMail(confirmationEmail(email, token, next), ctx.now);
}
