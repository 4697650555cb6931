import { authorize, type GuardedChange, proveChange, recordChange, reviewChange } from '../../identity';
import { appendAudit, spendingLimitSet, spendingZoneSet } from '../../observability';
import type { Ctx } from '../../platform/context';
import { inTransaction, lockName, type Tx } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import { toDecimalText } from '../../protocol/ap2/money';
import { MAX_SPENDING_LIMITS } from '../limits';
import type { LimitChange, LimitReview, SetLimit, SetTimeZone, SpendingView } from '../schema-spending';
import { findLimits, findTimeZone, type StoredLimit, saveLimit, saveTimeZone } from '../store/spending-limits';
import { findSubjectName, isTimeZone } from '../store/spending-subjects';
import { periodsOf } from './defaults';
import { findSame, isRaise } from './is-raise';
import { readSpendingLimits } from './list-limits';

/**
 * The proof that a change of a limit requires. Raising or removing one requires a passkey of the user or, without a
 * passkey, a recent sign-in.
 * @throws {ParleyError} `unauthenticated`, `forbidden` for access tokens, `invalid_request`, `not_found`
 */
export async function reviewLimit({ ctx, input: change }: { ctx: Ctx; input: LimitChange }): Promise<LimitReview> {
  const { userId } = authorize(ctx.actor, 'session');
  const known = await findLimits(userId);
  await assertValid(userId, change, known);
  return isRaise(known, change) ? reviewRaise(ctx, guardedLimit(change)) : noProof;
}

const noProof: LimitReview = { raises: false, passkey: null, signInAgain: false };

async function reviewRaise(ctx: Ctx, change: GuardedChange): Promise<LimitReview> {
  return { raises: true, ...(await reviewChange(ctx, change)) };
}

function guardedLimit(change: LimitChange): GuardedChange {
  return { guard: 'spending.limit', detail: { ...change } };
}

function guardedZone(timeZone: string): GuardedChange {
  return { guard: 'spending.time-zone', detail: { timeZone } };
}

/**
 * Sets, removes or resets a limit. A lower one applies to the next approval on every node. Raising one is a guarded
 * change, which no access token can make.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `invalid_request`, `not_found`; `forbidden`,
 * `passkey_required`, `passkey_refused`, `sign_in_again` to raise one; `conflict` with too many limits
 */
export async function setLimit({ ctx, input }: { ctx: Ctx; input: SetLimit }): Promise<SpendingView> {
  const { userId } = authorize(ctx.actor, { scope: 'guards:write' });
  const { assertion, ...change } = input;
  const known = await findLimits(userId);
  await assertValid(userId, change, known);
  const raises = isRaise(known, change);
  if (raises) await proveChange(ctx, guardedLimit(change), assertion);
  await inTransaction(async (tx) => {
    await lockName(tx, `spending ${userId}`);
    const stored = await findLimits(userId, undefined, tx);
    if (isRaise(stored, change) && !raises) {
      throw new ParleyError('conflict', 'The limit was changed meanwhile. Reload it and decide again.');
    }
    if (!findSame(stored, change) && stored.length >= MAX_SPENDING_LIMITS) {
      throw new ParleyError('conflict', `You have ${stored.length} limits, the most there can be. Remove one first.`);
    }
    await saveLimit(tx, { ...change, userId }, ctx.now);
    await recordLimit(tx, ctx, { change, stored: findSame(stored, change), raises });
    const { scope, period, currency, amount, subject } = change;
    const detail = `${scope} ${period} ${currency} ${amount ?? 'none'}`;
    await appendAudit(tx, spendingLimitSet(ctx, { userId, subject, detail }));
  });
  return readSpendingLimits(userId, ctx.now);
}

async function recordLimit(
  tx: Tx,
  ctx: Ctx,
  { change, stored, raises }: { change: LimitChange; stored: StoredLimit | undefined; raises: boolean },
): Promise<void> {
  const { userId } = authorize(ctx.actor, { scope: 'guards:write' });
  const { scope, period, currency, subject } = change;
  const amount = stored ? stored.amount : 'default';
  if (amount === change.amount) return;
  const write = (limit: LimitChange['amount']): string =>
    typeof limit === 'number' ? `${toDecimalText({ currency, minor: limit })} ${currency}` : (limit ?? 'no limit');
  await recordChange(tx, ctx, {
    ...{ userId, kind: 'spending.limit', subject: `limit ${scope} ${subject} ${period} ${currency}` },
    detail: `The limit of one ${scope} per ${period} was ${write(amount)}, and is now ${write(change.amount)}.`,
    before: raises ? { ...change, amount } : null,
  });
}

/**
 * The proof that a change of the time zone requires: that of a raised limit, because it moves the days and months of
 * all limits.
 * @throws {ParleyError} `unauthenticated`, `forbidden` for access tokens, `invalid_request`
 */
export async function reviewTimeZone({ ctx, input }: { ctx: Ctx; input: SetTimeZone }): Promise<LimitReview> {
  const { userId } = authorize(ctx.actor, 'session');
  const { timeZone } = input;
  return (await isChange(userId, timeZone)) ? reviewRaise(ctx, guardedZone(timeZone)) : noProof;
}

/**
 * Sets the time zone of days and months.
 * @throws {ParleyError} as {@link reviewTimeZone}; `passkey_required`, `passkey_refused`, `sign_in_again`
 */
export async function setTimeZone({ ctx, input }: { ctx: Ctx; input: SetTimeZone }): Promise<SpendingView> {
  const { userId } = authorize(ctx.actor, 'session');
  const { timeZone, assertion } = input;
  if (await isChange(userId, timeZone)) await proveChange(ctx, guardedZone(timeZone), assertion);
  await inTransaction(async (tx) => {
    await lockName(tx, `spending ${userId}`);
    const known = await findTimeZone(userId, tx);
    await saveTimeZone(tx, userId, timeZone);
    if (known !== timeZone) {
      const detail = `The time zone was ${known ?? 'UTC'}, and is now ${timeZone}.`;
      const before = { timeZone: known };
      await recordChange(tx, ctx, { userId, kind: 'spending.time-zone', subject: 'time zone', detail, before });
    }
    await appendAudit(tx, spendingZoneSet(ctx, { userId, timeZone }));
  });
  return readSpendingLimits(userId, ctx.now);
}

async function isChange(userId: string, timeZone: string): Promise<boolean> {
  if (isKnownToIntl(timeZone) && (await isTimeZone(timeZone))) {
    return timeZone !== ((await findTimeZone(userId)) ?? 'UTC');
  }
  const found = JSON.stringify(timeZone);
  throw new ParleyError(
    'invalid_request',
    `Found the time zone ${found}; expected an IANA name such as Europe/Berlin.`,
  );
}

/** True if `Intl` supports the zone, because pages format dates with it. */
function isKnownToIntl(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
}

async function assertValid(userId: string, change: LimitChange, known: StoredLimit[]): Promise<void> {
  const { scope, subject, period } = change;
  if (!periodsOf(scope).includes(period)) {
    const expected = periodsOf(scope).join(', ');
    throw new ParleyError(
      'invalid_request',
      `Found the period "${period}" for "${scope}"; expected one of ${expected}.`,
    );
  }
  // A limit can outlive its subject, and must be removable.
  if (findSame(known, change)) return;
  if ((await findSubjectName(userId, { scope, subject })) === null) {
    throw new ParleyError('not_found', `There is no ${scope} with this id that can pay for you.`);
  }
}
