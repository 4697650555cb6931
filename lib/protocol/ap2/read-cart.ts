import type { z } from 'zod';
import { PRICE_EXTENSION } from '../a2a/price-extension';
import { isObject, type JsonObject, type JsonValue, nonEmptyString } from '../json';
import { MAX_CART_ERRORS } from '../limits';
import { type CartContents, type ContactAddress, cartMandate, flatCart, type PaymentItem } from './cart-schema';
import { readAmount } from './money';
import type { Offer, OfferLine } from './offer';
import { type OfferReading, readSampleCart, readSignedCheckout, readUcpCheckout } from './read-checkout';

/** Member names of older documentation and of Web42, and their names in the schema. */
const modelNames: ReadonlyMap<string, string> = new Map([
  ['displayItems', 'display_items'],
  ['shippingOptions', 'shipping_options'],
  ['additionalDisplayItems', 'additional_display_items'],
  ['refundPeriod', 'refund_period'],
  ['shippingAddress', 'shipping_address'],
  ['merchantName', 'merchant_name'],
  ['cartExpiry', 'cart_expiry'],
  ['addressLine', 'address_line'],
  ['postalCode', 'postal_code'],
]);

/**
 * Reads an offer: a CartMandate of AP2 0.1 or its older format, Web42's flat format, a UCP checkout, or a signed
 * checkout of AP2 0.2. An object that no schema accepts results in `malformed_cart`, with its errors by path (C2).
 */
export function readCart(value: JsonValue): OfferReading {
  if (isObject(value)) {
    if (nonEmptyString(value.checkout_jwt)) return readSignedCheckout(value);
    if (Array.isArray(value.line_items)) return readUcpCheckout(value);
    const sample = readSampleCart(value);
    if (sample) return sample;
  }
  const model = cartMandate.safeParse(value);
  if (model.success) {
    const { contents, merchant_authorization } = model.data;
    return { ok: true, offer: toOffer(contents, { dialect: 'ap2-0.1', signed: Boolean(merchant_authorization) }) };
  }
  const flat = flatCart.safeParse(contentsOf(value));
  if (!flat.success) return { ok: false, code: 'malformed_cart', faults: errorsOf(flat.error) };
  return { ok: true, offer: toOffer(flat.data, { dialect: 'flat', signed: isObject(value) && isSigned(value) }) };
}

function contentsOf(value: JsonValue): unknown {
  return withModelNames(isObject(value) && value.contents !== undefined ? value.contents : value);
}

function isSigned({ merchant_authorization, merchant_signature }: JsonObject): boolean {
  return Boolean(merchant_authorization || merchant_signature);
}

function withModelNames(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withModelNames);
  if (!isObject(value)) return value;
  const renamed = Object.entries(value).map(([name, member]) => [
    modelNames.get(name) ?? name,
    withModelNames(member ?? null),
  ]);
  return Object.fromEntries(renamed);
}

function errorsOf(error: z.ZodError): string[] {
  return error.issues.slice(0, MAX_CART_ERRORS).map(({ path, message }) => `${path.join('.') || 'cart'}: ${message}`);
}

function toOffer(contents: CartContents, { dialect, signed }: Pick<Offer, 'dialect' | 'signed'>): Offer {
  const { details, shipping_address } = contents.payment_request;
  return {
    dialect,
    signed,
    cartId: contents.id,
    orderId: details.id ?? null,
    merchantName: contents.merchant_name?.trim() || null,
    lines: details.display_items.map((item) => toLine(item)),
    shipping: (details.shipping_options ?? [])
      .filter(({ selected }) => selected)
      .map((item) => ({ ...toLine(item), kind: 'shipping' })),
    modifiers: (details.modifiers ?? []).flatMap((modifier) => modifier.additional_display_items ?? []).map(toModifier),
    subtotal: null,
    total: toLine(details.total),
    expiry: contents.cart_expiry ?? null,
    mayBeOpenEnded: false,
    closed: null,
    address: shipping_address ? toAddressLines(shipping_address) : [],
    acceptance: contents[PRICE_EXTENSION]?.acceptance ?? null,
  };
}

function toLine(item: PaymentItem, mayBeNegative = false): OfferLine {
  return {
    label: item.label?.trim() ?? '',
    kind: 'item',
    quantity: 1,
    amount: readAmount(item.amount, { mayBeNegative }),
    pending: item.pending ?? false,
    refundDays: item.refund_period ?? null,
  };
}

function toModifier(item: PaymentItem): OfferLine {
  const line = toLine(item, true);
  return { ...line, kind: line.amount.ok && line.amount.minor < 0 ? 'discount' : 'fee' };
}

function toAddressLines(address: ContactAddress): string[] {
  const town = [address.postal_code, address.city].filter(Boolean).join(' ');
  const lines = [address.recipient, address.organization, ...(address.address_line ?? []), town, address.region];
  return [...lines, address.country].filter((line) => typeof line === 'string' && line.trim() !== '') as string[];
}
