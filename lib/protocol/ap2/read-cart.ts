import type { z } from 'zod';
import { isObject, type JsonObject, type JsonValue } from '../json';
import { type Amount, readAmount } from './money';
import { type CartContents, type ContactAddress, cartMandate, flatCart, type PaymentItem } from './schema';

export interface OfferLine {
  /** As the merchant wrote it; empty when it did not. */
  label: string;
  amount: Amount;
  /** The merchant says that this amount is not final. */
  pending: boolean;
  /** Days in which this can be given back; null when the cart does not say. */
  refundDays: number | null;
}

/** What a cart offers, in one form for every dialect. Nothing in it is verified; `checkOffer` says what holds. */
export interface Offer {
  dialect: 'ap2-0.1' | 'flat';
  cartId: string;
  /** Id of the payment request; a payment mandate refers to it. */
  orderId: string | null;
  merchantName: string | null;
  lines: OfferLine[];
  /** The shipping options that are selected. */
  shipping: OfferLine[];
  /** Surcharges and discounts that depend on how it is paid. */
  modifiers: OfferLine[];
  total: OfferLine;
  /** As written; `expiryOf` reads it. */
  expiry: string | null;
  /** Lines of the address it goes to. */
  address: string[];
  /** It carries a signature of the merchant, whatever that is worth. */
  signed: boolean;
}

export type CartReading = { ok: true; offer: Offer } | { ok: false; code: 'malformed_cart'; faults: string[] };

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
 * Reads a cart: AP2 0.1's CartMandate, the form of its older documentation, or Web42's flat one. Prose is never read.
 * What the schema refuses is `malformed_cart` with every fault by its place (check C2).
 */
export function readCart(value: JsonValue): CartReading {
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
    shipping: (details.shipping_options ?? []).filter(({ selected }) => selected).map((item) => toLine(item)),
    modifiers: (details.modifiers ?? [])
      .flatMap((modifier) => modifier.additional_display_items ?? [])
      .map((item) => toLine(item, true)),
    total: toLine(details.total),
    expiry: contents.cart_expiry ?? null,
    address: shipping_address ? toAddressLines(shipping_address) : [],
  };
}

function toLine(item: PaymentItem, mayBeNegative = false): OfferLine {
  return {
    label: item.label?.trim() ?? '',
    amount: readAmount(item.amount, { mayBeNegative }),
    pending: item.pending ?? false,
    refundDays: item.refund_period ?? null,
  };
}

function toAddressLines(address: ContactAddress): string[] {
  const town = [address.postal_code, address.city].filter(Boolean).join(' ');
  const lines = [address.recipient, address.organization, ...(address.address_line ?? []), town, address.region];
  return [...lines, address.country].filter((line) => typeof line === 'string' && line.trim() !== '') as string[];
}
