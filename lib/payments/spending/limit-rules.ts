import type { LimitChange } from '../schema-spending';
import type { SpendingKey, StoredLimit } from '../store/limits-and-alerts';

/** Limits that apply until the user sets others, minor units of each currency. Sessions have none. */
const defaults: Partial<Record<SpendingKey['scope'], Partial<Record<SpendingKey['period'], number>>>> = {
  token: { order: 5_000, day: 10_000, month: 50_000 },
  connection: { order: 5_000, day: 10_000, month: 50_000 },
  chain: { total: 5_000 },
};

/** Returns the default of a limit; null for none. */
export function defaultLimit({ scope, period }: Omit<SpendingKey, 'subject'>): number | null {
  return defaults[scope]?.[period] ?? null;
}

/** Returns the id of a limit of one user and currency. */
export function idOf({ scope, subject, period }: SpendingKey): string {
  return `${scope} ${subject} ${period}`;
}

/** Returns the periods that a limit of the scope can have. */
export function periodsOf(scope: SpendingKey['scope']): SpendingKey['period'][] {
  return scope === 'chain' ? ['order', 'total'] : ['order', 'day', 'month'];
}

/** Returns true unless the change of a spending limit only makes it stricter. */
export function isRaise(known: StoredLimit[], change: LimitChange): boolean {
  const stored = findSame(known, change);
  const before = stored ? stored.amount : defaultLimit(change);
  const after = change.amount === 'default' ? defaultLimit(change) : change.amount;
  return before !== null && (after === null || after > before);
}

/** Returns the stored limit that a change concerns; undefined while the default applies. */
export function findSame(known: StoredLimit[], change: LimitChange): StoredLimit | undefined {
  return known.find((own) => own.currency === change.currency && idOf(own) === idOf(change));
}

/** Returns true unless the change of the amount above which a payment requires a passkey only makes it stricter. */
export function isThresholdRaise(known: number | null, passkeyAbove: number | null): boolean {
  return known !== null && (passkeyAbove === null || passkeyAbove > known);
}
