import { authorize, type GuardedChange, proveChange, recordChange, reviewChange } from '../../identity';
import { appendAudit, spendingLimitSet, spendingZoneSet } from '../../observability';
import type { Call, Ctx } from '../../platform/context';
import { inTransaction, lockName, type Tx } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import { isTestMode } from '../charges/stripe-mode';
import { listCurrencies } from '../charges/wallet';
import { MAX_LISTED_ORDERS, MAX_LISTED_SELLERS, MAX_SPENDING_LIMITS } from '../limits';
import {
  type LimitChange,
  type LimitReview,
  type SetLimit,
  type SetTimeZone,
  type SpendingLimitView,
  type SpendingView,
  spendingPeriod,
  spendingScope,
} from '../schema-spending';
import { findLimits, findTimeZone, type StoredLimit, saveLimit, saveTimeZone } from '../store/limits-and-alerts';
import { findOfferSubjects, findPayingTokens, findSellers, findSubjectName, isTimeZone } from '../store/spending-sums';
import { findUsage } from '../store/spending-usage';
import { defaultLimit, findSame, idOf, isRaise, leftOf, periodsOf } from './reserve';

/** A limit of a user, explicit or by default. */
interface KnownLimit extends StoredLimit {
  isDefault: boolean;
}

/**
 * Lists the user's spending limits with their use, in each currency of the wallet and of recent offers. The limits are
 * those of the account, the agents that made offers, the access tokens that can pay, the chains and apps of recent
 * offers, and all other subjects with a limit.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function listSpendingLimits({ ctx }: { ctx: Ctx }): Promise<SpendingView> {
  const { userId } = authorize(ctx.actor, { scope: 'pay' });
  return readSpendingLimits(userId, ctx.now);
}

/** Like {@link listSpendingLimits}, for a user who has been authorized. */
async function readSpendingLimits(userId: string, now: Date): Promise<SpendingView> {
  const timeZone = await findTimeZone(userId);
  const known = await findKnownLimits(userId, now);
  const names = new Map<string, string>();
  for (const limit of known) {
    if (!names.has(limit.subject)) names.set(limit.subject, (await findSubjectName(userId, limit)) ?? '');
  }
  const limits: SpendingLimitView[] = [];
  for (const currency of new Set(known.map((limit) => limit.currency))) {
    const own = known.filter((limit) => limit.currency === currency);
    const window = { userId, currency, test: isTestMode(), timeZone: timeZone ?? 'UTC', now };
    const usage = await findUsage(window, own);
    limits.push(
      ...own.map(({ scope, subject, period, amount, isDefault }, at) => {
        const { used = 0, resetsAt = null } = usage[at] ?? {};
        return {
          ...{ scope, subject, name: names.get(subject) ?? '', period, currency, amount, isDefault, used },
          defaultAmount: defaultLimit({ scope, period }),
          left: amount === null ? null : leftOf({ amount, used }),
          resetsAt: resetsAt?.toISOString() ?? null,
        };
      }),
    );
  }
  return { timeZone, limits };
}

async function findKnownLimits(userId: string, now: Date): Promise<KnownLimit[]> {
  const stored = await findLimits(userId);
  const agents = (await findSellers(userId, MAX_LISTED_SELLERS)).map((subject) => ({
    scope: 'agent' as const,
    subject,
  }));
  const tokens = (await findPayingTokens(userId, now)).map((subject) => ({ scope: 'token' as const, subject }));
  const offers = await findOfferSubjects(userId, MAX_LISTED_ORDERS);
  const currencies = new Set([
    ...(await listCurrencies(userId)),
    ...offers.currencies,
    ...stored.map(({ currency }) => currency),
  ]);
  const named = [{ scope: 'account' as const, subject: '' }, ...agents, ...tokens, ...offers.subjects];
  const subjects = [...new Map(named.map((one) => [`${one.scope} ${one.subject}`, one])).values()];
  const byDefault = [...currencies].flatMap((currency) =>
    subjects.flatMap(({ scope, subject }) =>
      periodsOf(scope).map((period) => {
        const key = { scope, subject, period };
        return { ...key, currency, amount: defaultLimit(key), isDefault: true };
      }),
    ),
  );
  const isStored = (limit: KnownLimit): boolean =>
    stored.some((own) => own.currency === limit.currency && idOf(own) === idOf(limit));
  return [
    ...byDefault.filter((limit) => !isStored(limit)),
    ...stored.map((own) => ({ ...own, isDefault: false })),
  ].sort(compareLimits);
}

function compareLimits(a: KnownLimit, b: KnownLimit): number {
  return (
    spendingScope.options.indexOf(a.scope) - spendingScope.options.indexOf(b.scope) ||
    a.subject.localeCompare(b.subject) ||
    spendingPeriod.options.indexOf(a.period) - spendingPeriod.options.indexOf(b.period)
  );
}

/**
 * Returns the proof that a change of a limit requires. Raising or removing a limit requires a passkey of the user or,
 * without a passkey, a recent sign-in.
 * @throws {ParleyError} `unauthenticated`, `forbidden` for access tokens, `invalid_request`, `not_found`
 */
export async function reviewLimit({ ctx, input: change }: Call<LimitChange>): Promise<LimitReview> {
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
 * Sets, removes or resets a limit. A lower limit applies to the next approval on every node. Raising a limit is a
 * guarded change, which no access token can make.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `invalid_request`, `not_found`; `forbidden`,
 *   `passkey_required`, `passkey_refused`, `sign_in_again` if it is raised; `conflict` with too many limits
 */
export async function setLimit({ ctx, input }: Call<SetLimit>): Promise<SpendingView> {
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
    await recordLimit(tx, ctx, { userId, change, stored: findSame(stored, change), raises });
    const { scope, period, currency, amount, subject } = change;
    const detail = `${scope} ${period} ${currency} ${amount ?? 'none'}`;
    await appendAudit(tx, spendingLimitSet(ctx, { userId, subject, detail }));
  });
  return readSpendingLimits(userId, ctx.now);
}

async function recordLimit(
  tx: Tx,
  ctx: Ctx,
  {
    userId,
    change,
    stored,
    raises,
  }: { userId: string; change: LimitChange; stored: StoredLimit | undefined; raises: boolean },
): Promise<void> {
  const { scope, period, currency, subject } = change;
  const amount = stored ? stored.amount : 'default';
  if (amount === change.amount) return;
  const kind = 'spending.limit';
  const kindOf = (limit: LimitChange['amount']): string => (typeof limit === 'number' ? 'amount' : (limit ?? 'none'));
  const moneyOf = (limit: LimitChange['amount']): { currency: string; minor: number } => ({
    currency,
    minor: typeof limit === 'number' ? limit : 0,
  });
  const values = {
    scope,
    period,
    had: kindOf(amount),
    before: moneyOf(amount),
    has: kindOf(change.amount),
    after: moneyOf(change.amount),
  };
  await recordChange(tx, ctx, {
    ...{ userId, kind, subject: `limit ${scope} ${subject} ${period} ${currency}`, facts: { of: kind, values } },
    before: raises ? { ...change, amount } : null,
  });
}

/**
 * Returns the proof that a change of the time zone requires: the same as for raising a limit, because the change moves
 * the days and months of all limits.
 * @throws {ParleyError} `unauthenticated`, `forbidden` for access tokens, `invalid_request`
 */
export async function reviewTimeZone({ ctx, input }: Call<SetTimeZone>): Promise<LimitReview> {
  const { userId } = authorize(ctx.actor, 'session');
  const { timeZone } = input;
  return (await isChange(userId, timeZone)) ? reviewRaise(ctx, guardedZone(timeZone)) : noProof;
}

/**
 * Sets the time zone that determines days and months.
 * @throws {ParleyError} as {@link reviewTimeZone}; `passkey_required`, `passkey_refused`, `sign_in_again`
 */
export async function setTimeZone({ ctx, input }: Call<SetTimeZone>): Promise<SpendingView> {
  const { userId } = authorize(ctx.actor, 'session');
  const { timeZone, assertion } = input;
  if (await isChange(userId, timeZone)) await proveChange(ctx, guardedZone(timeZone), assertion);
  await inTransaction(async (tx) => {
    await lockName(tx, `spending ${userId}`);
    const known = await findTimeZone(userId, tx);
    await saveTimeZone(tx, userId, timeZone);
    if (known !== timeZone) {
      const kind = 'spending.time-zone';
      const facts = { of: kind, values: { before: known ?? 'UTC', after: timeZone } } as const;
      const before = { timeZone: known };
      await recordChange(tx, ctx, { userId, kind, subject: 'time zone', facts, before });
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

/** Returns true if `Intl` supports the zone, because pages use it to format dates. */
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
  // A limit can outlive its subject and must be removable.
  if (findSame(known, change)) return;
  if ((await findSubjectName(userId, { scope, subject })) === null) {
    throw new ParleyError('not_found', `There is no ${scope} with this id that can pay for you.`);
  }
}
