import { createHash } from 'node:crypto';
import {
  authorize,
  createAuthenticationOptions,
  isRecentlyAuthenticated,
  listPasskeys,
  requireFreshAuth,
  verifyAssertion,
} from '../../identity';
import { appendAudit, spendingLimitSet, spendingZoneSet } from '../../observability';
import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { inTransaction, lockName } from '../../platform/tx';
import { canonicalJson } from '../../protocol/jcs';
import { LIMIT_REVIEW_TTL_MS, MAX_SPENDING_LIMITS } from '../limits';
import type { LimitChange, LimitReview, SetLimit, SpendingView } from '../schema-spending';
import { findLimits, findTimeZone, type StoredLimit, saveLimit, saveTimeZone } from '../store/spending-limits';
import { findSubjectName, isTimeZone } from '../store/spending-subjects';
import { defaultLimit, idOf, periodsOf } from './defaults';
import { listSpendingLimits } from './list-limits';

/**
 * What a change of a limit needs: to raise or remove one, a passkey of the user, or without any a recent sign-in.
 * @throws {ParleyError} `unauthenticated`, `forbidden` for access tokens, `invalid_request`, `not_found`
 */
export async function reviewLimit({ ctx, input: change }: { ctx: Ctx; input: LimitChange }): Promise<LimitReview> {
  const { userId } = authorize(ctx.actor, 'session');
  await assertValid(userId, change);
  if (!isRaise(await findLimits(userId), change)) return { raises: false, passkey: null, signInAgain: false };
  const passkey = await createAuthenticationOptions(
    {
      userId,
      purpose: purposeOf(change),
      challenge: new Uint8Array(
        createHash('sha256')
          .update(canonicalJson({ ...change, userId }))
          .digest(),
      ),
      expiresAt: new Date(ctx.now.getTime() + LIMIT_REVIEW_TTL_MS),
    },
    ctx.now,
  );
  return { raises: true, passkey, signInAgain: passkey === null && !(await isRecentlyAuthenticated({ ctx })) };
}

/**
 * Sets, removes or resets a limit. A lower one applies to the next approval on every node.
 * @throws {ParleyError} as {@link reviewLimit}; `passkey_required`, `passkey_refused`, `sign_in_again` to raise one;
 *   `conflict` with too many limits
 */
export async function setLimit({ ctx, input }: { ctx: Ctx; input: SetLimit }): Promise<SpendingView> {
  const { userId } = authorize(ctx.actor, 'session');
  const { assertion, ...change } = input;
  await assertValid(userId, change);
  const raises = isRaise(await findLimits(userId), change);
  if (raises) await proveIdentity({ ctx, userId, change, assertion });
  await inTransaction(async (tx) => {
    await lockName(tx, `spending ${userId}`);
    const stored = await findLimits(userId, undefined, tx);
    if (isRaise(stored, change) && !raises) {
      throw new ParleyError('conflict', 'The limit was changed meanwhile. Reload it and decide again.');
    }
    const isNew = !findSame(stored, change);
    if (isNew && stored.length >= MAX_SPENDING_LIMITS) {
      throw new ParleyError('conflict', `You have ${stored.length} limits, the most there can be. Remove one first.`);
    }
    await saveLimit(tx, { ...change, userId }, ctx.now);
    const { scope, period, currency, amount, subject } = change;
    const detail = `${scope} ${period} ${currency} ${amount ?? 'none'}`;
    await appendAudit(tx, spendingLimitSet(ctx, { userId, subject, detail }));
  });
  return listSpendingLimits({ ctx });
}

/**
 * Sets the time zone of days and months. Changing one that was set needs a recent sign-in: it moves the windows.
 * @throws {ParleyError} `unauthenticated`, `forbidden` for access tokens, `invalid_request`, `sign_in_again`
 */
export async function setTimeZone({
  ctx,
  input: { timeZone },
}: {
  ctx: Ctx;
  input: { timeZone: string };
}): Promise<SpendingView> {
  const { userId } = authorize(ctx.actor, 'session');
  if (!(await isTimeZone(timeZone))) {
    const found = JSON.stringify(timeZone);
    throw new ParleyError(
      'invalid_request',
      `Found the time zone ${found}; expected an IANA name such as Europe/Berlin.`,
    );
  }
  const known = await findTimeZone(userId);
  if (known !== null && known !== timeZone) await requireFreshAuth({ ctx });
  await saveTimeZone(userId, timeZone, spendingZoneSet(ctx, { userId, timeZone }));
  return listSpendingLimits({ ctx });
}

async function assertValid(userId: string, change: LimitChange): Promise<void> {
  const { scope, subject, period } = change;
  if (!periodsOf(scope).includes(period)) {
    const expected = periodsOf(scope).join(', ');
    throw new ParleyError(
      'invalid_request',
      `Found the period "${period}" for "${scope}"; expected one of ${expected}.`,
    );
  }
  if ((await findSubjectName(userId, { scope, subject })) === null) {
    throw new ParleyError('not_found', `There is no ${scope} with this id that can pay for you.`);
  }
}

/** True unless the change only makes spending stricter. */
function isRaise(known: StoredLimit[], change: LimitChange): boolean {
  const stored = findSame(known, change);
  const before = stored ? stored.amount : defaultLimit(change);
  const after = change.amount === 'default' ? defaultLimit(change) : change.amount;
  return before !== null && (after === null || after > before);
}

function findSame(known: StoredLimit[], change: LimitChange): StoredLimit | undefined {
  return known.find((own) => own.currency === change.currency && idOf(own) === idOf(change));
}

interface LimitProof {
  ctx: Ctx;
  userId: string;
  change: LimitChange;
  assertion: SetLimit['assertion'];
}

async function proveIdentity({ ctx, userId, change, assertion }: LimitProof): Promise<void> {
  if (assertion) {
    await verifyAssertion({ userId, purpose: purposeOf(change), response: assertion, now: ctx.now });
    return;
  }
  if ((await listPasskeys({ ctx })).length > 0) {
    throw new ParleyError('passkey_required', 'Raising a spending limit needs a passkey. Confirm with a passkey.');
  }
  await requireFreshAuth({ ctx });
}

/** One challenge for each change: an assertion for one change confirms no other. */
function purposeOf({ scope, subject, period, currency, amount }: LimitChange): string {
  return `spending limit ${scope} ${subject} ${period} ${currency} ${amount}`;
}
