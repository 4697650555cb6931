import { PRICE_EXTENSION } from '../a2a/price-extension';
import { isObject, type JsonObject, type JsonValue, nonEmptyString } from '../json';
import { MAX_CART_ERRORS } from '../limits';
import { type Checkout, type CheckoutLine, checkout, type SampleCart, sampleCart, type Total } from './cart-schema';
import { readAmount, readMinor } from './money';
import type { Offer, OfferLine } from './offer';

/** An offer, or its errors by path. */
export type OfferReading = { ok: true; offer: Offer } | { ok: false; code: 'malformed_cart'; faults: string[] };

/** States in which a UCP checkout can be paid. The documentation of AP2 0.2 uses only the first. */
const PAYABLE = ['incomplete', 'ready_for_complete'];

const kinds: ReadonlyMap<string, OfferLine['kind']> = new Map([
  ['fulfillment', 'shipping'],
  ['tax', 'tax'],
  ['discount', 'discount'],
  ['items_discount', 'discount'],
]);

/** Returns the payload of a compact JWT without verification; null if malformed. Runs in browsers without a library. */
function payloadOf(jwt: string): JsonValue | null {
  const [, payload, , ...rest] = jwt.split('.');
  if (!payload || rest.length > 0) return null;
  try {
    const binary = atob(payload.replace(/-/g, '+').replace(/_/g, '/'));
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, (unit) => unit.charCodeAt(0))));
  } catch {
    return null;
  }
}

/** Reads a UCP checkout (`a2a.ucp.checkout`), whose amounts are minor units. */
export function readUcpCheckout(value: JsonObject): OfferReading {
  const authorization = isObject(value.ap2) ? nonEmptyString(value.ap2.merchant_authorization) : undefined;
  return readCheckout(value, { dialect: 'ucp', signed: authorization !== undefined });
}

/**
 * Reads `ap2.checkout` of AP2 0.2's samples. The offer is read from the signed content (`checkout_jwt`), not from the
 * other members.
 */
export function readSignedCheckout({ checkout_jwt: jwt }: JsonObject): OfferReading {
  const payload = payloadOf(nonEmptyString(jwt) ?? '');
  if (!isObject(payload)) return malformed('checkout_jwt: expected a JWT');
  return readCheckout(payload, { dialect: 'ap2-0.2', signed: true });
}

/** Reads `ap2.cart` of AP2 0.2's samples, which has one line and is never signed. */
export function readSampleCart(value: JsonValue): OfferReading | null {
  const parsed = sampleCart.safeParse(value);
  return parsed.success ? { ok: true, offer: toSampleOffer(parsed.data) } : null;
}

function readCheckout(value: JsonValue, { dialect, signed }: Pick<Offer, 'dialect' | 'signed'>): OfferReading {
  const parsed = checkout.safeParse(value);
  if (!parsed.success) {
    return malformed(...parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'checkout'}: ${message}`));
  }
  return { ok: true, offer: { ...toOffer(parsed.data), dialect, signed } };
}

function malformed(...faults: string[]): OfferReading {
  return { ok: false, code: 'malformed_cart', faults: faults.slice(0, MAX_CART_ERRORS) };
}

function toOffer(found: Checkout): Omit<Offer, 'dialect' | 'signed'> {
  const { currency, totals } = found;
  const total = totals.find(({ type }) => type === 'total');
  const subtotal = totals.find(({ type }) => type === 'subtotal');
  return {
    cartId: found.id,
    orderId: found.id,
    merchantName: found.merchant?.name?.trim() || null,
    lines: found.line_items.map((line) => toLine(line, currency)),
    shipping: [],
    modifiers: totals.filter((entry) => entry !== total && entry !== subtotal).map((entry) => toTotal(entry, currency)),
    subtotal: subtotal ? readMinor({ currency, amount: subtotal.amount }) : null,
    total: { ...toTotal(total ?? { type: 'total', amount: Number.NaN }, currency), kind: 'item' },
    expiry: found.expires_at ?? (found.exp ? new Date(found.exp * 1000).toISOString() : null),
    mayBeOpenEnded: true,
    closed: found.status && !PAYABLE.includes(found.status) ? found.status : null,
    address: [],
    acceptance: found[PRICE_EXTENSION]?.acceptance ?? null,
  };
}

function toLine({ item, quantity, totals }: CheckoutLine, currency: string): OfferLine {
  const subtotal = totals?.find(({ type }) => type === 'subtotal') ?? totals?.find(({ type }) => type === 'total');
  const amount = subtotal?.amount ?? (item.price ?? Number.NaN) * quantity;
  return {
    label: (item.title ?? item.id ?? '').trim(),
    kind: 'item',
    quantity,
    amount: readMinor({ currency, amount }),
    pending: false,
    refundDays: null,
  };
}

function toTotal({ type, amount, display_text }: Total, currency: string): OfferLine {
  const mayBeNegative = !['total', 'tax', 'fee', 'fulfillment'].includes(type);
  return {
    label: (display_text ?? type).trim(),
    kind: kinds.get(type) ?? (amount < 0 ? 'discount' : 'fee'),
    quantity: 1,
    amount: readMinor({ currency, amount }, { mayBeNegative }),
    pending: false,
    refundDays: null,
  };
}

function toSampleOffer({ cart_id, item_label, amount, currency }: SampleCart): Offer {
  const line: OfferLine = {
    label: item_label.trim(),
    kind: 'item',
    quantity: 1,
    amount: readAmount({ currency, value: amount }),
    pending: false,
    refundDays: null,
  };
  return {
    dialect: 'ap2-0.2',
    signed: false,
    cartId: cart_id,
    orderId: null,
    merchantName: null,
    lines: [line],
    shipping: [],
    modifiers: [],
    subtotal: null,
    total: { ...line, label: 'Total' },
    expiry: null,
    mayBeOpenEnded: false,
    closed: null,
    address: [],
    acceptance: null,
  };
}
