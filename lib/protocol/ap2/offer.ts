import { MAX_CHECK_LABEL_LENGTH } from '../limits';
import { type Amount, toMoneyText } from './money';
import type { AcceptanceTerms, CheckView, OfferLineView, OfferView } from './schema-offer';

/** A line as read; its amount may be invalid. */
export interface OfferLine {
  /** The merchant's text; may be empty. */
  label: string;
  kind: OfferLineView['kind'];
  quantity: number;
  amount: Amount;
  /** True if the amount is not final. */
  pending: boolean;
  /** The refund period in days; null if the cart has none. */
  refundDays: number | null;
}

/** An offer in the common format of all dialects. Not verified (see `checkOffer`). */
export interface Offer {
  dialect: OfferView['dialect'];
  cartId: string;
  /** The id of the payment request, to which a payment mandate refers. */
  orderId: string | null;
  merchantName: string | null;
  lines: OfferLine[];
  /** The selected shipping options. */
  shipping: OfferLine[];
  /** Surcharges, taxes and discounts. */
  modifiers: OfferLine[];
  /** The stated sum of the lines alone. */
  subtotal: Amount | null;
  total: OfferLine;
  /** The text as written. Parsed by `expiryOf`. */
  expiry: string | null;
  /** True if the offer requires no expiry, as for a UCP checkout. */
  mayBeOpenEnded: boolean;
  /** The merchant's state of a checkout that can no longer be paid, or not through Parley. */
  closed: string | null;
  /** The lines of the shipping address. */
  address: string[];
  acceptance: AcceptanceTerms | null;
  /** True if it has a merchant's signature, which has not been verified. */
  signed: boolean;
}

/** Codes of checks C10 to C13 (docs/payments.md), in order. */
type OfferCheckCode = 'cart_expired' | 'currency_mismatch' | 'amount_precision' | 'total_mismatch';

type OfferCheck = CheckView & { code: OfferCheckCode };

const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/i;

/** Returns the offer's expiry, milliseconds since 1970; null unless it is ISO 8601 with a time zone. */
export function expiryOf({ expiry }: Offer): number | null {
  if (!expiry || !dateTime.test(expiry)) return null;
  const time = Date.parse(expiry);
  return Number.isNaN(time) ? null : time;
}

/**
 * Runs the checks that need no signature: expiry, one currency, exact amounts, and the sum of the lines. `now` is in
 * milliseconds since 1970.
 */
export function checkOffer(offer: Offer, now: number): OfferCheck[] {
  return [checkExpiry(offer, now), checkCurrency(offer), checkPrecision(offer), checkTotal(offer)];
}

function checkExpiry(offer: Offer, now: number): OfferCheck {
  const code = 'cart_expired';
  const expiresAt = expiryOf(offer);
  if (offer.closed) return { code, ok: false, text: `According to the merchant, this checkout is ${offer.closed}.` };
  if (!offer.expiry && offer.mayBeOpenEnded) return { code, ok: true, text: 'Offer has no expiry' };
  if (!offer.expiry) return { code, ok: false, text: 'The cart has no expiry.' };
  if (expiresAt === null) {
    return { code, ok: false, text: `The expiry "${offer.expiry}" is not an ISO 8601 time with a time zone.` };
  }
  if (expiresAt <= now) return { code, ok: false, text: 'The offer has expired. Ask the agent for a new one.' };
  return { code, ok: true, text: 'Offer not expired' };
}

function checkCurrency(offer: Offer): OfferCheck {
  const code = 'currency_mismatch';
  const { currency } = offer.total.amount;
  for (const { label, amount } of allLines(offer)) {
    if (!amount.ok && amount.code === code)
      return { code, ok: false, text: `${displayLabel(label)}: ${amount.fault}.` };
    if (amount.currency !== currency) {
      return {
        code,
        ok: false,
        text: `${displayLabel(label)} is in ${amount.currency}, but the total is in ${currency}.`,
      };
    }
  }
  return { code, ok: true, text: `All amounts in ${currency}` };
}

function checkPrecision(offer: Offer): OfferCheck {
  const code = 'amount_precision';
  for (const { label, amount, pending } of allLines(offer)) {
    if (pending)
      return { code, ok: false, text: `According to the merchant, ${displayLabel(label)} is not a final amount.` };
    if (!amount.ok && amount.code === code)
      return { code, ok: false, text: `${displayLabel(label)}: ${amount.fault}.` };
  }
  return { code, ok: true, text: 'All amounts final and exact' };
}

function checkTotal({ lines, shipping, modifiers, subtotal, total }: Offer): OfferCheck {
  const code = 'total_mismatch';
  const { currency } = total.amount;
  const items = sumOf(lines, currency);
  const rest = sumOf([...shipping, ...modifiers], currency);
  if (items === null || rest === null || !total.amount.ok || (subtotal && !subtotal.ok)) {
    return { code, ok: false, text: 'The line items cannot be added up.' };
  }
  if (subtotal && subtotal.minor !== items)
    return mismatch('subtotal', { currency, found: items, stated: subtotal.minor });
  const found = items + rest;
  if (found !== total.amount.minor) return mismatch('total', { currency, found, stated: total.amount.minor });
  return { code, ok: true, text: 'Line items add up to the total' };
}

function sumOf(lines: OfferLine[], currency: string): number | null {
  let sum = 0;
  for (const { amount } of lines) {
    if (!amount.ok || amount.currency !== currency) return null;
    sum += amount.minor;
  }
  return sum;
}

function mismatch(
  name: 'subtotal' | 'total',
  { currency, found, stated }: { currency: string; found: number; stated: number },
): OfferCheck {
  const [sum, expected] = [found, stated].map((minor) => toMoneyText({ currency, minor }));
  return {
    code: 'total_mismatch',
    ok: false,
    text: `The line items add up to ${sum}, but the ${name} is ${expected}.`,
  };
}

/** Returns the offer for display and storage; null if an amount is not exact. */
export function toOfferView(offer: Offer): OfferView | null {
  const { total, cartId, orderId, dialect, merchantName, address, acceptance } = offer;
  const lines = [...offer.lines, ...offer.shipping, ...offer.modifiers].map(({ amount, ...line }) =>
    amount.ok ? { ...line, minor: amount.minor } : null,
  );
  if (!total.amount.ok || lines.includes(null)) return null;
  const { currency, minor } = total.amount;
  const expiresAt = expiryOf(offer);
  return {
    cartId,
    detailsId: orderId,
    dialect,
    merchantName,
    lines: lines.filter((line) => line !== null),
    total: { currency, minor },
    expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    address,
    ...(acceptance && { acceptance }),
  };
}

function allLines({ lines, shipping, modifiers, total }: Offer): OfferLine[] {
  return [...lines, ...shipping, ...modifiers, { ...total, label: total.label || 'Total' }];
}

/** Returns a line's label as part of a sentence. */
function displayLabel(label: string): string {
  if (label === '') return 'Unnamed item';
  return label.length > MAX_CHECK_LABEL_LENGTH ? `${label.slice(0, MAX_CHECK_LABEL_LENGTH - 1)}…` : label;
}
