import type { Call } from '../../platform/context';
import { newId } from '../../platform/ids';
import { authorize, requireFreshAuth } from '../authorization';
import { accountSuspended, invalidMember, wrongCredentials } from '../errors';
import { hashPassword, verifyPassword } from '../proofs/password-hash';
import { limitPasswordAttempts } from '../rate-limits';
import { type StartedSession, startSession } from '../sessions/sessions';
import type { ClientInfo } from '../store/session-rows';
import { insertUser, selectLocalAccount, updatePasswordHash } from '../store/users';

/**
 * Signs a user in with email address and password. Failures count per account and per network address. Requires no
 * authorization.
 * @throws {ParleyError} `unauthenticated` for an unknown address or wrong password; `forbidden` when suspended;
 *   `rate_limited`
 */
export async function signInWithPassword({
  ctx,
  input,
}: Call<{ email: string; password: string; client: ClientInfo }>): Promise<StartedSession> {
  const refundAttempt = await limitPasswordAttempts(input.email, input.client.address);
  const account = await selectLocalAccount(input.email);
  const matches = await verifyPassword(input.password, account?.passwordHash ?? null);
  if (!account || !matches) throw wrongCredentials();
  await refundAttempt();
  if (account.suspended) throw accountSuspended();
  const { userId, passwordHash } = account;
  return startSession({ ctx, input: { userId, method: 'password', client: input.client, passwordHash } });
}

/**
 * Re-authenticates the signed-in user before an irreversible action, by email address and password or, without a
 * password, by a sign-in within the last 15 minutes. Failures count as failed sign-ins.
 * @throws {ParleyError} `unauthenticated` without a session; `invalid_request` at the member that does not match;
 *   `sign_in_again`; `rate_limited`
 */
export async function reauthenticate({
  ctx,
  input,
}: Call<{ email: string; password: string; address: string }>): Promise<{ userId: string; email: string }> {
  const { userId, email } = authorize(ctx.actor, 'account');
  if (input.email !== email) throw invalidMember('email', 'expected the email of this account');
  const account = await selectLocalAccount(email);
  const hash = account?.passwordHash ?? null;
  if (hash === null) await requireFreshAuth({ ctx });
  const refundAttempt = await limitPasswordAttempts(email, input.address);
  if (hash !== null && !(await verifyPassword(input.password, hash))) {
    throw invalidMember('password', 'expected the password of this account');
  }
  await refundAttempt();
  return { userId, email };
}

/**
 * Creates a user with this password for the demo, or changes the password of an existing one. Safe to run concurrently
 * on several servers.
 */
export async function ensureLocalUser({
  email,
  password,
  name,
  now,
}: {
  email: string;
  password: string;
  name: string;
  now: Date;
}): Promise<{ userId: string }> {
  const known = await selectLocalAccount(email);
  if (known) {
    const same = await verifyPassword(password, known.passwordHash);
    if (!same) await updatePasswordHash(known.userId, await hashPassword(password));
    return { userId: known.userId };
  }
  const id = newId('usr');
  const user = { id, email, emailVerified: now, name, passwordHash: await hashPassword(password) };
  if (await insertUser(user)) return { userId: id };
  return ensureLocalUser({ email, password, name, now });
}
