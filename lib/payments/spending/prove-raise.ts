import { randomBytes } from 'node:crypto';
import {
  challengeOf,
  createAuthenticationOptions,
  isRecentlyAuthenticated,
  listPasskeys,
  requireFreshAuth,
  verifyAssertion,
} from '../../identity';
import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { canonicalJson } from '../../protocol/jcs';
import { LIMIT_REVIEW_TTL_MS } from '../limits';
import type { LimitReview, SetLimit } from '../schema-spending';

/** A change that lets more be spent. One challenge for each: an assertion for one change confirms no other. */
export interface Raise {
  userId: string;
  /** What changes, such as a limit and its new amount. */
  change: Record<string, string | number | null>;
}

/** What a raise needs: a passkey of the user, or without any a recent sign-in. */
export async function reviewRaise(ctx: Ctx, { userId, change }: Raise): Promise<LimitReview> {
  // The nonce keeps an old assertion from confirming the same change again.
  const text = canonicalJson({ ...change, user_id: userId, nonce: randomBytes(16).toString('base64url') });
  const expiresAt = new Date(ctx.now.getTime() + LIMIT_REVIEW_TTL_MS);
  const request = { userId, purpose: purposeOf(change), challenge: challengeOf(text), expiresAt };
  const passkey = await createAuthenticationOptions(request, ctx.now);
  return { raises: true, passkey, signInAgain: passkey === null && !(await isRecentlyAuthenticated({ ctx })) };
}

/**
 * Requires what {@link reviewRaise} named.
 * @throws {ParleyError} `passkey_required`, `passkey_refused`, `sign_in_again`
 */
export async function proveRaise(
  ctx: Ctx,
  { userId, change, assertion }: Raise & { assertion: SetLimit['assertion'] },
): Promise<void> {
  if (assertion) {
    await verifyAssertion({ userId, purpose: purposeOf(change), response: assertion, now: ctx.now });
    return;
  }
  if ((await listPasskeys({ ctx })).length > 0) {
    throw new ParleyError('passkey_required', 'Spending more needs a passkey. Confirm with a passkey.');
  }
  await requireFreshAuth({ ctx });
}

function purposeOf(change: Raise['change']): string {
  return `spending ${canonicalJson(change)}`;
}
