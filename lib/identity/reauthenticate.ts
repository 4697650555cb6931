import type { Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { verifyPassword } from './password';
import { requireSession } from './policy';
import { limitPasswordAttempts } from './rate-limits';
import { requireFreshAuth } from './require-fresh-auth';
import { selectLocalAccount } from './store/users';

/**
 * Holds what a person typed against their own account before something that cannot be undone: the address, and the
 * password; where the account has none, a sign-in of the last 15 minutes. Failures are counted as those of signing in.
 * @throws {ParleyError} `unauthenticated` without a session; `invalid_request` at the member that does not match;
 *   `sign_in_again`; `rate_limited`
 */
export async function reauthenticate({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { email: string; password: string; address: string };
}): Promise<{ userId: string; email: string }> {
  const { userId, email } = requireSession(ctx.actor);
  if (input.email !== email) throw mismatch('email', 'expected the e-mail address of this account');
  const account = await selectLocalAccount(email);
  const hash = account?.passwordHash ?? null;
  if (hash === null) await requireFreshAuth({ ctx });
  const refundAttempt = await limitPasswordAttempts(email, input.address);
  if (hash !== null && !(await verifyPassword(input.password, hash))) {
    throw mismatch('password', 'expected the password of this account');
  }
  await refundAttempt();
  return { userId, email };
}

function mismatch(member: string, message: string): ParleyError {
  const faults = [{ pointer: `/${member}`, message }];
  return new ParleyError('invalid_request', `/${member}: ${message}`, { data: { faults } });
}
