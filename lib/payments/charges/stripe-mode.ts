import { env } from '../../platform/runtime/env';
import type { PayoutRail } from '../schema-payouts';

/** Returns true if a Stripe key is set, so that cards can be charged. */
export function cardsEnabled(): boolean {
  return env().STRIPE_SECRET_KEY !== undefined;
}

/** Returns true if no real money is transferred: without a Stripe key, or with one for test mode. */
export function isTestMode(): boolean {
  return !/^[rs]k_live_/.test(env().STRIPE_SECRET_KEY ?? '');
}

/** Currencies whose minor unit in Stripe differs from ISO 4217, or whose amounts must be multiples of ten. */
const unsupportedByCard = new Set(['ISK', 'UGX', 'MGA', 'BHD', 'JOD', 'KWD', 'OMR', 'TND']);

/** Returns true if an amount in this currency can be paid by card. */
export function isCardCurrency(currency: string): boolean {
  return cardsEnabled() && !unsupportedByCard.has(currency);
}

/** Returns the rail of new payouts on this site. */
export function currentRail(): PayoutRail {
  if (!cardsEnabled()) return 'credits';
  return isTestMode() ? 'stripe_test' : 'stripe';
}

/** Returns true if the money of a rail is not real. */
export function isTestRail(rail: PayoutRail): boolean {
  return rail !== 'stripe';
}
