import type { z } from 'zod';
import { isObject, type JsonObject, type JsonValue, nonEmptyString } from '../json';
import { readAmount } from './money';
import type { Offer, OfferLine } from './offer';
import { type OfferReading, readSampleCart, readSignedCheckout, readUcpCheckout } from './read-checkout';
import { type CartContents, type ContactAddress, cartMandate, flatCart, type PaymentItem } from './schema';

/** Names of the older documentation and of Web42 (ap2.md §1.3, §2), and what the model calls them. */
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
 * Reads an offer: AP2 0.1's CartMandate, the form of its older documentation, Web42's flat one, a checkout of UCP or one
 * that AP2 0.2 signs. Prose is never read. What the schema refuses is `malformed_cart` with every fault by its place (C2).
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
  if (!flat.success) return { ok: false, code: 'malformed_cart', faults: faultsOf(flat.error) };
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

function faultsOf(error: z.ZodError): string[] {
  return error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.') || 'cart'}: ${message}`);
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
