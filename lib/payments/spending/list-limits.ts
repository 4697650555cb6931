import { authorize } from '../../identity';
import type { Ctx } from '../../platform/context';
import { isTestMode } from '../charges/stripe-mode';
import { listCurrencies } from '../charges/wallet';
import { MAX_LISTED_ORDERS, MAX_LISTED_SELLERS } from '../limits';
import type { SpendingLimitView, SpendingView } from '../schema-spending';
import { findLimits, findTimeZone, type SpendingKey, type StoredLimit } from '../store/spending-limits';
import { findOfferSubjects, findPayingTokens, findSellers, findSubjectName } from '../store/spending-subjects';
import { findUsage } from '../store/spending-usage';
import { defaultLimit, idOf, periodsOf } from './defaults';
import { leftOf } from './reserve';

/** A limit that a user has, set or by default. */
interface KnownLimit extends StoredLimit {
  isDefault: boolean;
}

/**
 * The user's spending limits with their use, in each currency of the wallet and of recent offers: of the account, the
 * agents that made offers, the access tokens that can pay, the chains and apps of recent offers, and all other subjects
 * with a limit.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function listSpendingLimits({ ctx }: { ctx: Ctx }): Promise<SpendingView> {
  const { userId } = authorize(ctx.actor, { scope: 'pay' });
  return readSpendingLimits(userId, ctx.now);
}

/** {@link listSpendingLimits} of a user who was authorized. */
export async function readSpendingLimits(userId: string, now: Date): Promise<SpendingView> {
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

const scopes: SpendingKey['scope'][] = ['account', 'agent', 'token', 'connection', 'chain'];
const periods: SpendingKey['period'][] = ['order', 'day', 'month', 'total'];

function compareLimits(a: KnownLimit, b: KnownLimit): number {
  return (
    scopes.indexOf(a.scope) - scopes.indexOf(b.scope) ||
    a.subject.localeCompare(b.subject) ||
    periods.indexOf(a.period) - periods.indexOf(b.period)
  );
}
