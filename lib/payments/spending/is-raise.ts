import type { LimitChange } from '../schema-spending';
import type { StoredLimit } from '../store/spending-limits';
import { defaultLimit, idOf } from './defaults';

/** True unless the change of a spending limit only makes it stricter. */
export function isRaise(known: StoredLimit[], change: LimitChange): boolean {
  const stored = findSame(known, change);
  const before = stored ? stored.amount : defaultLimit(change);
  const after = change.amount === 'default' ? defaultLimit(change) : change.amount;
  return before !== null && (after === null || after > before);
}

/** The stored limit that a change concerns; undefined while the default applies. */
export function findSame(known: StoredLimit[], change: LimitChange): StoredLimit | undefined {
  return known.find((own) => own.currency === change.currency && idOf(own) === idOf(change));
}

/** True unless the change of the amount above which a payment requires a passkey only makes it stricter. */
export function isThresholdRaise(known: number | null, passkeyAbove: number | null): boolean {
  return known !== null && (passkeyAbove === null || passkeyAbove > known);
}
