import { env } from '../../platform/env';

/** True when cards can be charged: the processor's keys are set. */
export function cardsEnabled(): boolean {
  return env().STRIPE_SECRET_KEY !== undefined;
}

/** True while nothing real moves: without keys of the card processor, and with those of its test mode. */
export function isTestMode(): boolean {
  return !/^[rs]k_live_/.test(env().STRIPE_SECRET_KEY ?? '');
}

/** Parley's share of a sale, minor units; it is taken from what the seller gets, and rounded down. */
export function platformFee(amount: number): number {
  return Number((BigInt(amount) * BigInt(env().PLATFORM_FEE_BPS)) / 10_000n);
}

/** Currencies whose amounts the card processor writes as ISO 4217 does; in others it counts differently, or only in tens. */
const unsupportedByCard = new Set(['ISK', 'UGX', 'MGA', 'BHD', 'JOD', 'KWD', 'OMR', 'TND']);

/** True when an amount of this currency can be paid by card. */
export function isCardCurrency(currency: string): boolean {
  return cardsEnabled() && !unsupportedByCard.has(currency);
}
