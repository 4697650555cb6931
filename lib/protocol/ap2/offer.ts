import type { Amount } from './money';

/** An amount: integer minor units of an ISO 4217 currency (1898 EUR is 18.98 €; 500 JPY is 500 ¥). */
export interface Money {
  currency: string;
  minor: number;
}

/** What became of a check of an offer: C1 to C14 in their order. */
export interface CheckView {
  code: string;
  ok: boolean;
  /** What was found, in a sentence for people. */
  text: string;
}

/** One line of an offer; shipping, fees, taxes and discounts are lines too. A discount is negative. */
export interface OfferLineView {
  /** As the merchant wrote it; plain text. */
  label: string;
  kind: 'item' | 'shipping' | 'fee' | 'tax' | 'discount';
  minor: number;
  quantity: number;
  pending: boolean;
  /** Days in which it can be given back; null when the cart does not say. */
  refundDays: number | null;
}

/** What a cart offers, read from the bytes that were checked; the only amounts that a person is ever shown. */
export interface OfferView {
  cartId: string;
  /** Id that payment mandates refer to; null when the cart has none. */
  detailsId: string | null;
  dialect: 'ap2-0.1' | 'flat' | 'ap2-0.2' | 'ucp';
  merchantName: string | null;
  lines: OfferLineView[];
  total: Money;
  /** ISO 8601; null when the cart does not say. */
  expiresAt: string | null;
  /** Lines of the address that it goes to. */
  address: string[];
}

/** A line as it was read; its amount may have a fault. */
export interface OfferLine {
  /** As the merchant wrote it; empty when it did not. */
  label: string;
  kind: OfferLineView['kind'];
  quantity: number;
  amount: Amount;
  /** The merchant says that this amount is not final. */
  pending: boolean;
  /** Days in which this can be given back; null when the cart does not say. */
  refundDays: number | null;
}

/** What a cart offers, in one form for every dialect. Nothing in it is verified; `checkOffer` says what holds. */
export interface Offer {
  dialect: OfferView['dialect'];
  cartId: string;
  /** Id of the payment request; a payment mandate refers to it. */
  orderId: string | null;
  merchantName: string | null;
  lines: OfferLine[];
  /** The shipping options that are selected. */
  shipping: OfferLine[];
  /** Surcharges, taxes and discounts. */
  modifiers: OfferLine[];
  /** What the lines alone must add up to, where the merchant says it. */
  subtotal: Amount | null;
  total: OfferLine;
  /** As written; `expiryOf` reads it. */
  expiry: string | null;
  /** A UCP checkout need not say how long it holds. */
  mayBeOpenEnded: boolean;
  /** The state in which the merchant says that it cannot be paid any more, or not here. */
  closed: string | null;
  /** Lines of the address it goes to. */
  address: string[];
  /** It carries a signature of the merchant, whatever that is worth. */
  signed: boolean;
}
