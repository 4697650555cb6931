import { FEE_NOTICE_MS } from '../limits';
import type { ScheduledFee } from '../record';
import type { FeeTerms } from '../schema-income';

/** Returns the schedule of a currency in force at a time; null before the first one. */
export function scheduleAt(schedules: ScheduledFee[], currency: string, at: Date): ScheduledFee | null {
  const begun = schedules.filter((one) => one.currency === currency && one.effectiveFrom <= at);
  return begun.sort(byTime).at(-1) ?? null;
}

/** Returns the next schedule of a currency after a time; null if none is announced. */
export function scheduleAfter(schedules: ScheduledFee[], currency: string, at: Date): ScheduledFee | null {
  const [first] = schedules.filter((one) => one.currency === currency && one.effectiveFrom > at).sort(byTime);
  return first ? scheduleAt(schedules, currency, first.effectiveFrom) : null;
}

function byTime(a: ScheduledFee, b: ScheduledFee): number {
  return a.effectiveFrom.getTime() - b.effectiveFrom.getTime() || a.createdAt.getTime() - b.createdAt.getTime();
}

/** A change of the fee of a currency: its terms, and those that were announced for the same time. */
interface FeeChange {
  terms: FeeTerms;
  announced: FeeTerms;
  /** True if something was sold in the currency. */
  hasSales: boolean;
  now: Date;
}

/**
 * Returns the earliest time at which these terms may begin. A fee that is higher for some amount than the one announced
 * for that time needs 30 days' notice, unless nothing was sold in the currency yet. No fee begins in the past.
 */
export function earliestStart({ terms, announced, hasSales, now }: FeeChange): Date {
  const isHigher = terms.basisPoints > announced.basisPoints || terms.fixed > announced.fixed;
  return isHigher && hasSales ? new Date(now.getTime() + FEE_NOTICE_MS) : now;
}
