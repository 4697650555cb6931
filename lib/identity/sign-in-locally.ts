import type { Ctx } from '../platform/context';
import { accountSuspended, wrongCredentials } from './errors';
import { admitAttempt } from './limits';
import { verifyPassword } from './password';
import { type StartedSession, startSession } from './start-session';
import type { Place } from './store/sessions';
import { selectLocalAccount } from './store/users';

/**
 * Signs a person in by e-mail address and password. Open to all; failures are counted per account and per address.
 * @throws {ParleyError} `unauthenticated`, alike for unknown and wrong; `forbidden` when suspended; `rate_limited`
 */
export async function signInLocally({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { email: string; password: string; place: Place };
}): Promise<StartedSession> {
  const succeeded = await admitAttempt(input.email, input.place.address);
  const account = await selectLocalAccount(input.email);
  const matches = await verifyPassword(input.password, account?.passwordHash ?? null);
  if (!account || !matches) throw wrongCredentials();
  await succeeded();
  if (account.suspended) throw accountSuspended();
  const { userId, passwordHash } = account;
  return startSession({ ctx, input: { userId, way: 'password', place: input.place, passwordHash } });
}
