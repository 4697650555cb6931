import { randomBytes } from 'node:crypto';
import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { hmac } from '../../platform/secrets/crypto';
import { canonicalJson } from '../../protocol/jcs';
import type { JsonValue } from '../../protocol/json';
import { authorize, isRecentlyAuthenticated, requireFreshAuth } from '../authorization';
import { PASSKEY_CHALLENGE_MS } from '../limits';
import { challengeOf, createAuthenticationOptions, verifyAssertion } from '../passkeys/passkey-authentication';
import type { PasskeyResponse } from '../schema-passkey';
import { type Guard, guards } from './table';

/**
 * One guarded change. Each change has its own challenge, so that an assertion for one change does not confirm another
 * one.
 */
export interface GuardedChange {
  guard: Guard;
  /** Exactly what changes, such as a limit and its new amount. */
  detail: Record<string, JsonValue>;
}

/**
 * The proof that a change requires: the WebAuthn options for a passkey of the user or, without a passkey, possibly a
 * recent sign-in.
 */
export interface NeededProof {
  passkey: Record<string, unknown> | null;
  signInAgain: boolean;
}

/**
 * The proof that {@link proveChange} will require.
 * @throws {ParleyError} `forbidden` for access tokens
 */
export async function reviewChange(ctx: Ctx, change: GuardedChange): Promise<NeededProof> {
  const { userId } = authorize(ctx.actor, 'session');
  const passkey = await createOptions(ctx, userId, change);
  const needsSignIn = passkey === null && guards[change.guard].withoutPasskey === 'recent-sign-in';
  return { passkey, signInAgain: needsSignIn && !(await isRecentlyAuthenticated({ ctx })) };
}

/**
 * Requires the proof that the table of guards defines for a change: while the account has a passkey, its assertion for
 * exactly this change, once. Call it before the change, and after all checks that may refuse it.
 * @throws {ParleyError} `passkey_required` with the WebAuthn options in `passkey`; `passkey_refused`; `sign_in_again`;
 * `forbidden` for access tokens
 */
export async function proveChange(
  ctx: Ctx,
  change: GuardedChange,
  assertion: PasskeyResponse | undefined,
): Promise<void> {
  const { userId } = authorize(ctx.actor, 'session');
  if (assertion) {
    await verifyAssertion({ userId, purpose: purposeOf(change), response: assertion, now: ctx.now });
    return;
  }
  const { what, withoutPasskey } = guards[change.guard];
  const passkey = await createOptions(ctx, userId, change);
  if (passkey) throw passkeyRequired(what, passkey);
  if (withoutPasskey === 'passkey') throw passkeyMissing(what);
  if (withoutPasskey === 'recent-sign-in') await requireFreshAuth({ ctx });
}

async function createOptions(ctx: Ctx, userId: string, change: GuardedChange): Promise<Record<string, unknown> | null> {
  // The nonce keeps an old assertion from confirming the same change again.
  const nonce = randomBytes(16).toString('base64url');
  const challenge = challengeOf(canonicalJson({ ...change, user_id: userId, nonce }));
  const expiresAt = new Date(ctx.now.getTime() + PASSKEY_CHALLENGE_MS);
  return createAuthenticationOptions({ userId, purpose: purposeOf(change), challenge, expiresAt }, ctx.now);
}

/** A MAC, because the detail may be a new password. */
function purposeOf({ guard, detail }: GuardedChange): string {
  return `${guard} ${hmac('guarded-change', canonicalJson(detail))}`;
}

function passkeyRequired(what: string, passkey: Record<string, unknown>): ParleyError {
  return new ParleyError(
    'passkey_required',
    `${what} needs one of your passkeys. Sign the options in "passkey" and repeat the request with "assertion". If you have lost all of them, start a recovery under Settings, Payments.`,
    { data: { passkey } },
  );
}

/** The error for a change that only a passkey can confirm, on an account without one. */
export function passkeyMissing(what: string): ParleyError {
  return new ParleyError('passkey_required', `${what} needs a passkey, and you have none. Add one under Payments.`);
}
