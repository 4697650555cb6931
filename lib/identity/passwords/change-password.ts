import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { verifyPassword } from '../password';
import { requireSession } from '../policy';
import { limitPasswordAttempts } from '../rate-limits';
import { requireFreshAuth } from '../require-fresh-auth';
import { selectLocalAccount } from '../store/users';
import { type EndTokens, replacePassword } from './replace-password';
import { requireStrongPassword } from './require-strong-password';

interface Change {
  /** The old password; nothing where the account has none yet. */
  current: string;
  password: string;
  endTokens: boolean;
  address: string;
}

/**
 * Changes the password of the person who is signed in, or gives a first one to an account that signs in elsewhere. The old
 * password is asked for; without one, a sign-in of the last 15 minutes. Every other session ends.
 * @throws {ParleyError} `unauthenticated`; `invalid_request` at the member that is wrong; `sign_in_again`; `rate_limited`
 */
export async function changePassword({
  ctx,
  input,
  endTokens,
}: {
  ctx: Ctx;
  input: Change;
  endTokens: EndTokens;
}): Promise<void> {
  const { userId, email, sessionId } = requireSession(ctx.actor);
  const account = await selectLocalAccount(email);
  const hash = account?.passwordHash ?? null;
  if (hash === null) await requireFreshAuth({ ctx });
  else await requireCurrentPassword(input, { email, hash });
  await requireStrongPassword(input.password, email);
  const person = { userId, email, password: input.password };
  await replacePassword(ctx, person, { how: 'changed', keptSession: sessionId });
  // After the other sessions: one that lives could make another token.
  if (input.endTokens) await endTokens(ctx, userId);
}

/** Failures count as those of signing in: a session left open is no place to guess from. */
async function requireCurrentPassword(
  { current, address }: Change,
  { email, hash }: { email: string; hash: string },
): Promise<void> {
  const refundAttempt = await limitPasswordAttempts(email, address);
  if (!(await verifyPassword(current, hash))) {
    const message = 'expected the password that you sign in with now';
    throw new ParleyError('invalid_request', `/current: ${message}`, {
      data: { faults: [{ pointer: '/current', message }] },
    });
  }
  await refundAttempt();
}
