import { randomBytes } from 'node:crypto';
import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { hmac } from '../../platform/secrets/crypto';
import { canonicalJson } from '../../protocol/jcs';
import type { JsonValue } from '../../protocol/json';
import { authorize, isRecentlyAuthenticated, requireFreshAuth } from '../authorization';
import { PASSKEY_CHALLENGE_MS } from '../limits';
import { challengeOf, createAuthenticationOptions, verifyAssertion } from '../proofs/passkey-authentication';
import type { PasskeyResponse } from '../schema-views';

/**
 * The proof that a guarded change requires while the account has no passkey:
 * - `session`, `recent-sign-in`: a session or a recent sign-in of the user
 * - `password`: the password that the change itself requires or, if the account has none, a recent sign-in
 * - `passkey`: the change is not possible without a passkey
 */
type Fallback = 'session' | 'recent-sign-in' | 'password' | 'passkey';

interface GuardRule {
  /** The change, as the subject of a sentence. */
  what: string;
  withoutPasskey: Fallback;
}

/**
 * All changes that require a proof. While the account has a passkey, each change needs an assertion by one of its
 * passkeys for exactly this change ({@link proveChange}), and access tokens cannot make it.
 */
export const guards = {
  'passkey.add': { what: 'Adding a passkey', withoutPasskey: 'recent-sign-in' },
  'passkey.remove': { what: 'Removing a passkey', withoutPasskey: 'recent-sign-in' },
  'password.change': { what: 'Changing the password', withoutPasskey: 'password' },
  'token.create': { what: 'Creating a token that can pay or change guards', withoutPasskey: 'recent-sign-in' },
  'device.allow': { what: 'Allowing a device to pay or change guards', withoutPasskey: 'recent-sign-in' },
  'payment.threshold': { what: 'Raising the amount that needs a passkey', withoutPasskey: 'recent-sign-in' },
  'spending.limit': { what: 'Raising a spending limit', withoutPasskey: 'recent-sign-in' },
  'spending.time-zone': { what: 'Changing the time zone of limits', withoutPasskey: 'recent-sign-in' },
  'standing.create': { what: 'Creating a standing approval', withoutPasskey: 'passkey' },
  'standing.resume': { what: 'Resuming a standing approval', withoutPasskey: 'recent-sign-in' },
  'standing.allow': { what: 'Allowing automatic payments again', withoutPasskey: 'recent-sign-in' },
  'recovery.cancel': { what: 'Canceling a recovery', withoutPasskey: 'passkey' },
  'account.export': { what: 'Exporting the account', withoutPasskey: 'session' },
  'account.delete': { what: 'Deleting the account', withoutPasskey: 'password' },
} as const satisfies Record<string, GuardRule>;

export type Guard = keyof typeof guards;

/** One guarded change. Each has its own challenge, so that an assertion for one change does not confirm another. */
export interface GuardedChange {
  guard: Guard;
  /** The exact content of the change, such as a limit and its new amount. */
  detail: Record<string, JsonValue>;
}

/**
 * The proof that a change requires: an assertion by one of the user's passkeys, for which `passkey` contains the
 * WebAuthn options, or, if the user has no passkey, possibly a recent sign-in.
 */
interface NeededProof {
  passkey: Record<string, unknown> | null;
  signInAgain: boolean;
}

/**
 * Returns the proof that {@link proveChange} will require.
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
 * exactly this change, once. Must be called before the change, and after all checks that may reject it.
 * @throws {ParleyError} `passkey_required` with the WebAuthn options in `passkey`; `passkey_refused`; `sign_in_again`;
 *   `forbidden` for access tokens
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
  // The nonce prevents an old assertion from confirming the same change again.
  const nonce = randomBytes(16).toString('base64url');
  const challenge = challengeOf(canonicalJson({ ...change, user_id: userId, nonce }));
  const expiresAt = new Date(ctx.now.getTime() + PASSKEY_CHALLENGE_MS);
  return createAuthenticationOptions({ userId, purpose: purposeOf(change), challenge, expiresAt }, ctx.now);
}

/** Returns a MAC, because the detail may be a new password. */
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

/** Returns the error for a change that only a passkey can confirm, if the account has none. */
export function passkeyMissing(what: string): ParleyError {
  return new ParleyError('passkey_required', `${what} needs a passkey, and you have none. Add one under Payments.`);
}
