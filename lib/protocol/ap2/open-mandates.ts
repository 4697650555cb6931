import { hashText, type JWK, readJws } from '@parley/agent/ap2';
import { isObject, type JsonObject, nonEmptyString } from '../json';
import type { Frequency } from './frequencies';
import { toDecimalText } from './money';
import { type SignJwt, toSeconds, writeMandateSdJwt } from './write-mandates';

/** The terms that a user approves in advance, as constraints of AP2 0.2. Amounts are minor units of `currency`. */
export interface OpenTerms {
  /** The merchant, compared by id and never by name. */
  payee: { id: string; name: string };
  currency: string;
  maxPerOrder: number;
  /** The sum of all payments. */
  maxTotal: number;
  frequency: Frequency;
  maxUses: number | null;
  /**
   * The items and their quantities in each cart, which must not contain anything else; null if any items are allowed.
   */
  items: { acceptable: { id: string; title: string }[]; quantity: number } | null;
}

interface Validity {
  /** The key that may close the mandates (RFC 7800 §3.1). */
  agentKey: JWK;
  now: Date;
  expiresAt: Date;
}

/** Returns the open checkout mandate of the terms. */
export function openCheckoutOf({ payee, items }: OpenTerms, validity: Validity): JsonObject {
  const lines = items && {
    type: 'checkout.line_items',
    items: [{ id: 'items', acceptable_items: items.acceptable, quantity: items.quantity }],
  };
  return {
    vct: 'mandate.checkout.open.1',
    constraints: [{ type: 'checkout.allowed_merchants', allowed: [payee] }, ...(lines ? [lines] : [])],
    ...validityOf(validity),
  };
}

/** Returns the open payment mandate of the terms, for carts under the open checkout mandate that has this hash. */
export function openPaymentOf(terms: OpenTerms, openCheckoutHash: string, validity: Validity): JsonObject {
  const { payee, currency, maxPerOrder, maxTotal, frequency, maxUses } = terms;
  return {
    vct: 'mandate.payment.open.1',
    constraints: [
      { type: 'payment.amount_range', currency, max: maxPerOrder },
      // In major units, as in AP2's SDK.
      { type: 'payment.budget', currency, max: Number(toDecimalText({ currency, minor: maxTotal })) },
      { type: 'payment.allowed_payees', allowed: [payee] },
      { type: 'payment.agent_recurrence', frequency, ...(maxUses !== null && { max_occurrences: maxUses }) },
      { type: 'payment.execution_date', not_after: validity.expiresAt.toISOString() },
      { type: 'payment.reference', conditional_transaction_id: openCheckoutHash },
    ],
    ...validityOf(validity),
  };
}

/** Signs the open checkout mandate and the open payment mandate of a standing approval. */
export async function signOpenMandates(
  terms: OpenTerms,
  validity: Validity,
  { sign, issuer, newId }: { sign: SignJwt; issuer: string; newId: () => string },
): Promise<{ checkout: string; payment: string }> {
  const seconds = { iat: toSeconds(validity.now), exp: toSeconds(validity.expiresAt) };
  const write = (mandate: JsonObject): Promise<string> =>
    writeMandateSdJwt({ mandate, hidden: {}, outer: { iss: issuer, jti: newId(), ...seconds } }, sign);
  const checkout = await write(openCheckoutOf(terms, validity));
  const payment = await write(openPaymentOf(terms, await hashText(checkout), validity));
  return { checkout, payment };
}

function validityOf({ agentKey: { kty, crv, x, y }, now, expiresAt }: Validity): JsonObject {
  return { cnf: { jwk: { kty, crv, x, y } }, iat: toSeconds(now), exp: toSeconds(expiresAt) };
}

/** Reads the checkout that a merchant signed (AP2 0.2), without verification; null if it is not a JWT. */
export function readCheckoutOf(checkoutJwt: string): JsonObject | null {
  return readJws(checkoutJwt)?.payload ?? null;
}

/**
 * Reads the items of a checkout and their quantities; null if there are no lines, or if a line has no item id or no
 * positive quantity.
 */
export function readItems(checkoutJwt: string): OpenTerms['items'] {
  const lines = readCheckoutOf(checkoutJwt)?.line_items;
  if (!Array.isArray(lines) || lines.length === 0) return null;
  const acceptable = new Map<string, string>();
  let quantity = 0;
  for (const line of lines) {
    const { item = null, quantity: count = null } = isObject(line) ? line : {};
    const id = isObject(item) ? nonEmptyString(item.id) : undefined;
    if (!isObject(item) || id === undefined || !Number.isSafeInteger(count) || Number(count) < 1) return null;
    acceptable.set(id, nonEmptyString(item.title) ?? id);
    quantity += Number(count);
  }
  return { acceptable: [...acceptable].map(([id, title]) => ({ id, title })), quantity };
}
