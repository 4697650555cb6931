import type { Ctx } from '../platform/context';
import { accountSuspended, wrongCredentials } from './errors';
import { verifyPassword } from './password';
import { limitPasswordAttempts } from './rate-limits';
import { type StartedSession, startSession } from './start-session';
import type { ClientInfo } from './store/sessions';
import { selectLocalAccount } from './store/users';

/**
 * Signs a person in by e-mail address and password. Open to all; failures are counted per account and per address.
 * @throws {ParleyError} `unauthenticated`, alike for unknown and wrong; `forbidden` when suspended; `rate_limited`
 */
export async function signInWithPassword({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { email: string; password: string; client: ClientInfo };
}): Promise<StartedSession> {
  const refundAttempt = await limitPasswordAttempts(input.email, input.client.address);
  const account = await selectLocalAccount(input.email);
  const matches = await verifyPassword(input.password, account?.passwordHash ?? null);
  if (!account || !matches) throw wrongCredentials();
  await refundAttempt();
  if (account.suspended) throw accountSuspended();
  const { userId, passwordHash } = account;
  return startSession({ ctx, input: { userId, method: 'password', client: input.client, passwordHash } });
}
