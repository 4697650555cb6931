import { env } from '../../platform/runtime/env';
import { DAY_MS, MINUTE_MS } from '../../platform/time';
import type { AcceptanceTerms } from '../../protocol/ap2/schema-offer';
import { NEW_SELLER_MS } from '../limits';
import type { HoldReason } from '../schema-income';

/** The lengths of holds, milliseconds. */
export interface HoldSettings {
  /** Of every sale for real money: the time in which buyers ask for refunds. */
  refundWindowMs: number;
  /** Of the first sales of a seller for real money. */
  newSellerMs: number;
  /** Of sales for test credits. */
  testMs: number;
}

/** A captured sale, and the capture of the seller's first sale for real money; null if this is the first. */
interface CapturedSale {
  test: boolean;
  capturedAt: Date;
  firstSaleAt: Date | null;
}

/** Why, and until when, a seller's money is held. */
export interface EarningHold {
  hold: HoldReason;
  availableAt: Date;
}

/**
 * Returns why, and until when, the seller's money of a sale is held: the hold that ends last. Of holds that end at the
 * same time, the rarer one is the reason. The end is never before the capture.
 */
export function holdOf({ test, capturedAt, firstSaleAt }: CapturedSale, settings: HoldSettings): EarningHold {
  const at = capturedAt.getTime();
  const endOf = (ms: number): Date => new Date(at + ms);
  if (test) return { hold: 'refund_window', availableAt: endOf(settings.testMs) };
  const isNew = firstSaleAt === null || at - firstSaleAt.getTime() < NEW_SELLER_MS;
  if (isNew && settings.newSellerMs > 0 && settings.newSellerMs >= settings.refundWindowMs)
    return { hold: 'new_seller', availableAt: endOf(settings.newSellerMs) };
  return { hold: 'refund_window', availableAt: endOf(settings.refundWindowMs) };
}

/** Returns the time at which a result is accepted without an answer. */
export function acceptByOf({ days }: Pick<AcceptanceTerms, 'days'>, capturedAt: Date): Date {
  return new Date(capturedAt.getTime() + days * DAY_MS);
}

/** Returns the hold, or the one that lasts until the result is accepted by itself, if that ends later. */
export function untilAccepted(found: EarningHold, acceptBy: Date | null): EarningHold {
  return acceptBy && acceptBy > found.availableAt ? { hold: 'acceptance', availableAt: acceptBy } : found;
}

/** Returns the operator's lengths of holds. */
export function holdSettings(): HoldSettings {
  const { REFUND_WINDOW_DAYS, NEW_SELLER_HOLD_DAYS, TEST_HOLD_MINUTES } = env();
  return {
    refundWindowMs: REFUND_WINDOW_DAYS * DAY_MS,
    newSellerMs: NEW_SELLER_HOLD_DAYS * DAY_MS,
    testMs: TEST_HOLD_MINUTES * MINUTE_MS,
  };
}
