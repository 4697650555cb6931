import { DAY_MS } from '../../../platform/time';
import { LEAVING_PAYOUT_MS, PAYOUT_HOUR } from '../../limits';

/** When a seller's payouts are created. */
export interface ScheduleTerms {
  interval: 'weekly' | 'monthly' | 'manual';
  /** ISO day of the week (1 is Monday), or day of the month (1 to 28). */
  day: number;
  /** Time since which the seller wants everything paid out. */
  leftAt: Date | null;
}

/**
 * Returns the first time after `after` at which a seller's payouts are created; null for none. Scheduled payouts are
 * created at 06:00 UTC. Those of a seller who leaves are created daily, so that the rest is paid when its hold ends.
 */
export function nextPayoutAt({ interval, day, leftAt }: ScheduleTerms, after: Date): Date | null {
  if (leftAt !== null) return new Date(after.getTime() + LEAVING_PAYOUT_MS);
  if (interval === 'manual') return null;
  return interval === 'weekly' ? nextWeekday(day, after) : nextDayOfMonth(day, after);
}

function nextWeekday(day: number, after: Date): Date {
  const today = Date.UTC(after.getUTCFullYear(), after.getUTCMonth(), after.getUTCDate(), PAYOUT_HOUR);
  const weekday = after.getUTCDay() === 0 ? 7 : after.getUTCDay();
  const candidate = today + ((day - weekday + 7) % 7) * DAY_MS;
  return new Date(candidate > after.getTime() ? candidate : candidate + 7 * DAY_MS);
}

function nextDayOfMonth(day: number, after: Date): Date {
  const inMonth = (offset: number): number =>
    Date.UTC(after.getUTCFullYear(), after.getUTCMonth() + offset, day, PAYOUT_HOUR);
  return new Date(inMonth(0) > after.getTime() ? inMonth(0) : inMonth(1));
}
