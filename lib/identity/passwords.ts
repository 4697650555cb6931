import { passwordChanged, sessionEnded } from '../observability';
import type { Call, Ctx } from '../platform/context';
import { inTransaction } from '../platform/db/tx';
import { newId } from '../platform/ids';
import { sha256 } from '../platform/secrets/crypto';
import { authorize, requireFreshAuth } from './authorization';
import { accountSuspended, invalidMember, linkExpired, wrongCredentials } from './errors';
import { recordChange } from './guards/changes';
import { proveChange } from './guards/prove-change';
import { hashPassword, requireStrongPassword, verifyPassword } from './proofs/password-hash';
import { limitPasswordAttempts } from './rate-limits';
import type { PasskeyResponse } from './schema-views';
import { type StartedSession, startSession } from './sessions/sessions';
import { findLinkOwner } from './sign-in/magic-links';
import type { ClientInfo } from './store/session-rows';
import { replacePasswordHash } from './store/sign-in-proofs';
import { consumeMagicLink } from './store/sign-in-rows';
import { insertUser, selectLocalAccount, updatePasswordHash } from './store/users';

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

/** Revokes the user's access and device tokens, which belong to a higher domain. */
export type EndTokens = (ctx: Ctx, userId: string) => Promise<void>;

interface PasswordChange {
  /** The current password. Ignored if the account has none. */
  current: string;
  password: string;
  endTokens: boolean;
  address: string;
  assertion?: PasskeyResponse;
}

/**
 * Changes the password of the signed-in user, or sets the first one of an account that signs in with a provider.
 * Requires the current password or, without one, a sign-in within the last 15 minutes, and a passkey if the account has
 * one. Ends all other sessions.
 * @throws {ParleyError} `unauthenticated`; `invalid_request` at the invalid member; `sign_in_again`;
 *   `passkey_required`,
 *   `passkey_refused`; `rate_limited`
 */
export async function changePassword({
  ctx,
  input,
  endTokens,
}: {
  ctx: Ctx;
  input: PasswordChange;
  endTokens: EndTokens;
}): Promise<void> {
  const { userId, email, credential } = authorize(ctx.actor, 'account');
  const account = await selectLocalAccount(email);
  const hash = account?.passwordHash ?? null;
  if (hash === null) await requireFreshAuth({ ctx });
  else await requireCurrentPassword(input, { email, hash });
  const { password, assertion } = input;
  await requireStrongPassword(password, email);
  const detail = { password, endTokens: input.endTokens };
  await proveChange(ctx, { guard: 'password.change', detail }, assertion);
  const user = { userId, email, password };
  await replacePassword(ctx, user, { how: 'changed', currentSessionId: credential.id });
  // After the other sessions have ended, because an active one could create another token.
  if (input.endTokens) await endTokens(ctx, userId);
}

/**
 * Checks the current password. Failures count as failed sign-ins, so that an open session cannot be used to guess it.
 */
async function requireCurrentPassword(
  { current, address }: PasswordChange,
  { email, hash }: { email: string; hash: string },
): Promise<void> {
  const refundAttempt = await limitPasswordAttempts(email, address);
  if (!(await verifyPassword(current, hash))) {
    throw invalidMember('current', 'expected your current password');
  }
  await refundAttempt();
}

interface PasswordReset {
  token: string;
  password: string;
  /** True to also revoke access and device tokens, which someone with the old password may have created. */
  endTokens: boolean;
  client: ClientInfo;
}

/**
 * Sets a new password with a magic link, consumes the link, ends all sessions and signs the user in. Requires no
 * authorization.
 * @throws {ParleyError} `not_found` for a link that is unknown, used or expired; `invalid_request` for a weak password,
 *   which does not consume the link; `rate_limited`
 */
export async function resetPassword({
  ctx,
  input,
  endTokens,
}: {
  ctx: Ctx;
  input: PasswordReset;
  endTokens: EndTokens;
}): Promise<StartedSession> {
  const { token, password, client } = input;
  const tokenHash = sha256(token);
  const refundAttempt = await limitPasswordAttempts(tokenHash, client.address);
  const owner = await findLinkOwner({ ctx, input: { token, purpose: 'reset' } });
  if (!owner) throw linkExpired();
  await requireStrongPassword(password, owner.email);
  if (!(await consumeMagicLink(tokenHash))) throw linkExpired();
  await replacePassword(ctx, { ...owner, password }, { how: 'reset', currentSessionId: null });
  // After the sessions have ended, because an active one could create another token.
  if (input.endTokens) await endTokens(ctx, owner.userId);
  await refundAttempt();
  return startSession({ ctx, input: { userId: owner.userId, method: 'reset', client } });
}

/**
 * Sets a new password and ends every other session.
 * @throws {ParleyError} `invalid_request` if the password is too weak
 */
async function replacePassword(
  ctx: Ctx,
  user: { userId: string; email: string; password: string },
  { how, currentSessionId }: { how: 'changed' | 'reset'; currentSessionId: string | null },
): Promise<void> {
  const { userId, email, password } = user;
  await requireStrongPassword(password, email);
  const passwordHash = await hashPassword(password);
  const audit = {
    changed: passwordChanged(ctx, { userId, how }),
    ended: sessionEnded(ctx, { userId, why: 'new-password' }),
  };
  const replacement = { userId, passwordHash, currentSessionId, verifiedAt: how === 'reset' ? ctx.now : null };
  await inTransaction(async (tx) => {
    const before = { hash: await replacePasswordHash(tx, replacement, audit) };
    const kind = how === 'reset' ? 'password.reset' : 'password.change';
    await recordChange(tx, ctx, { userId, kind, subject: 'password', facts: null, before });
  });
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
