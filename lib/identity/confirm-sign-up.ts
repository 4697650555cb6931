import type { Ctx } from '../platform/context';
import { sha256 } from '../platform/crypto';
import { ParleyError } from '../platform/errors';
import { newId } from '../platform/ids';
import { accountExists, signUpLinkInvalid } from './errors';
import { verifyPassword } from './password';
import { limitPasswordAttempts } from './rate-limits';
import { type StartedSession, startSession } from './start-session';
import type { ClientInfo } from './store/sessions';
import { redeemSignUp, selectPendingSignUp } from './store/sign-ups';

/**
 * Makes the account of a sign-up and signs in. The link proves the address, the password proves that this is who signed
 * up: a stranger who signed up with another's address gains nothing when its owner follows the link. Open to all.
 * @throws {ParleyError} `not_found` for a link that is unknown, used or expired; `unauthenticated` for the wrong
 * password; `conflict` when the address has an account by now; `rate_limited`
 */
export async function confirmSignUp({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { token: string; password: string; client: ClientInfo };
}): Promise<StartedSession> {
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
    'This is not the password that was chosen at sign-up. Try again, or sign up again if it was not you.',
  );
}
