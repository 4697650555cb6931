import type { SpendingKey } from '../store/spending-limits';

/** Limits that apply until the user sets others, minor units of each currency. Sessions have none. */
const defaults: Partial<Record<SpendingKey['scope'], Partial<Record<SpendingKey['period'], number>>>> = {
  token: { order: 5_000, day: 10_000, month: 50_000 },
  connection: { order: 5_000, day: 10_000, month: 50_000 },
  chain: { total: 5_000 },
};

/** The default of a limit; null for none. */
export function defaultLimit({ scope, period }: Omit<SpendingKey, 'subject'>): number | null {
  return defaults[scope]?.[period] ?? null;
}

/** Identifies a limit of one user and currency. */
export function idOf({ scope, subject, period }: SpendingKey): string {
  return `${scope} ${subject} ${period}`;
}

/** The periods that a limit of the scope can have. */
export function periodsOf(scope: SpendingKey['scope']): SpendingKey['period'][] {
  return scope === 'chain' ? ['order', 'total'] : ['order', 'day', 'month'];
}
