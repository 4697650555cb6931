import { toDecimalText } from './money';
import type { Offer, OfferLine } from './read-cart';

/** Codes of checks C10 to C13 (ap2.md §5), in their order. */
export type OfferCheckCode = 'cart_expired' | 'currency_mismatch' | 'amount_precision' | 'total_mismatch';

export interface OfferCheck {
  code: OfferCheckCode;
  ok: boolean;
  /** What was found, in a sentence for people. */
  text: string;
}

const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/i;

/** When the offer ends, in ms since 1970. Null when it does not say so in ISO 8601 with a time zone. */
export function expiryOf({ expiry }: Offer): number | null {
  if (!expiry || !dateTime.test(expiry)) return null;
  const time = Date.parse(expiry);
  return Number.isNaN(time) ? null : time;
}

/** The checks that need no key: expiry, one currency, exact amounts, and that the lines add up. `now` in ms since 1970. */
export function checkOffer(offer: Offer, now: number): OfferCheck[] {
  return [checkExpiry(offer, now), checkCurrency(offer), checkPrecision(offer), checkTotal(offer)];
}

function checkExpiry(offer: Offer, now: number): OfferCheck {
  const code = 'cart_expired';
  const expiresAt = expiryOf(offer);
  if (!offer.expiry) return { code, ok: false, text: 'The cart does not say until when it is valid.' };
  if (expiresAt === null) {
    return { code, ok: false, text: `The expiry "${offer.expiry}" is not a time of ISO 8601 with a time zone.` };
  }
  if (expiresAt <= now) return { code, ok: false, text: 'The offer has expired. Ask the agent for a new one.' };
  return { code, ok: true, text: 'The offer has not expired.' };
}

function checkCurrency(offer: Offer): OfferCheck {
  const code = 'currency_mismatch';
  const { currency } = offer.total.amount;
  for (const { label, amount } of everyLine(offer)) {
    if (!amount.ok && amount.code === code) return { code, ok: false, text: `${named(label)}: ${amount.fault}.` };
    if (amount.currency !== currency) {
      return { code, ok: false, text: `${named(label)} is in ${amount.currency}, but the total is in ${currency}.` };
    }
  }
  return { code, ok: true, text: `Every amount is in ${currency}.` };
}

function checkPrecision(offer: Offer): OfferCheck {
  const code = 'amount_precision';
  for (const { label, amount } of everyLine(offer)) {
    if (!amount.ok && amount.code === code) return { code, ok: false, text: `${named(label)}: ${amount.fault}.` };
  }
  return { code, ok: true, text: 'Every amount is exact in its currency.' };
}

function checkTotal(offer: Offer): OfferCheck {
  const code = 'total_mismatch';
  const { currency, ...total } = offer.total.amount;
  let sum = 0;
  for (const { amount } of [...offer.lines, ...offer.shipping, ...offer.modifiers]) {
    if (!amount.ok || amount.currency !== currency) sum = Number.NaN;
    else sum += amount.minor;
  }
  if (!total.ok || Number.isNaN(sum)) return { code, ok: false, text: 'The lines cannot be added up.' };
  if (sum === total.minor) return { code, ok: true, text: 'The lines add up to the total.' };
  const [found, stated] = [sum, total.minor].map((minor) => `${toDecimalText({ currency, minor })} ${currency}`);
  return { code, ok: false, text: `The lines add up to ${found}, but the total says ${stated}.` };
}

function everyLine({ lines, shipping, modifiers, total }: Offer): OfferLine[] {
  return [...lines, ...shipping, ...modifiers, { ...total, label: total.label || 'Total' }];
}

/** A line as a sentence names it. */
function named(label: string): string {
  if (label === '') return 'A line without a name';
  return label.length > 60 ? `${label.slice(0, 59)}…` : label;
}
