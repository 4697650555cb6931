import { canonicalText, type JsonObject, type JWK, type JwsFault, verifyJws } from '@parley/agent/ap2';
import { isObject, type JsonValue, nonEmptyString } from '../json';
import { MAX_REJECTION_TEXT_LENGTH, MERCHANT_CLOCK_SKEW_SECONDS } from '../limits';

/** The data against which a merchant's confirmation is checked. */
export interface ConfirmationTrust {
  /** The listing's pinned keys, each with its `kid`. */
  keys: readonly JWK[];
  issuer: string;
  /** Both references to every mandate that was sent for the order. */
  references: readonly string[];
  /** The checkout of a UCP order. */
  cartId: string;
  now: Date;
}

export type ConfirmationFault = JwsFault | 'wrong_issuer' | 'wrong_reference' | 'malformed_receipt';

/** A merchant's signed response to a mandate. */
export type Confirmation =
  | { outcome: 'confirmed'; merchantOrderId: string; token: string; content: JsonObject }
  | { outcome: 'rejected'; code: string; text: string; token: string; content: JsonObject }
  /** A confirmation that is not valid. */
  | { outcome: 'invalid'; code: ConfirmationFault };

const receiptKeys = ['ap2.CheckoutReceipt', 'ap2.PaymentReceipt', 'checkout_receipt'];

/**
 * Reads a merchant's response to a mandate from a data part: a CheckoutReceipt of AP2 0.2 as a JWT, or a signed UCP
 * checkout with its order. Returns null for all other values, including unsigned objects.
 */
export async function readConfirmation(data: JsonValue, trust: ConfirmationTrust): Promise<Confirmation | null> {
  if (!isObject(data)) return null;
  const token = receiptKeys.map((key) => nonEmptyString(data[key])).find((text) => text !== undefined);
  if (token) return readReceipt(token, trust);
  const checkout = data['a2a.ucp.checkout'];
  return isObject(checkout) && isObject(checkout.order) ? readOrder(checkout, trust) : null;
}

/** Reads a receipt. Its outcome is `status` in the schema of 0.2 and `result` in its text, in different case. */
async function readReceipt(token: string, { keys, issuer, references, now }: ConfirmationTrust): Promise<Confirmation> {
  const read = await verifyJws(token, { keys });
  if (!read.ok) return { outcome: 'invalid', code: read.code };
  const { payload } = read;
  if (payload.iss !== issuer) return { outcome: 'invalid', code: 'wrong_issuer' };
  const isDated =
    Number.isSafeInteger(payload.iat) && Number(payload.iat) <= now.getTime() / 1000 + MERCHANT_CLOCK_SKEW_SECONDS;
  if (!isDated) return { outcome: 'invalid', code: 'malformed_receipt' };
  if (typeof payload.reference !== 'string' || !references.includes(payload.reference)) {
    return { outcome: 'invalid', code: 'wrong_reference' };
  }
  const outcome = (nonEmptyString(payload.status) ?? nonEmptyString(payload.result) ?? '').toLowerCase();
  const orderId = nonEmptyString(payload.order_id);
  if (outcome === 'success' && orderId) {
    return { outcome: 'confirmed', merchantOrderId: orderId, token, content: payload };
  }
  if (outcome !== 'error') return { outcome: 'invalid', code: 'malformed_receipt' };
  const code = nonEmptyString(payload.error) ?? 'rejected';
  const text = (nonEmptyString(payload.error_description) ?? '').slice(0, MAX_REJECTION_TEXT_LENGTH);
  return { outcome: 'rejected', code, text, token, content: payload };
}

async function readOrder(checkout: JsonObject, { keys, cartId }: ConfirmationTrust): Promise<Confirmation> {
  const { ap2, ...content } = checkout;
  const token = isObject(ap2) ? nonEmptyString(ap2.merchant_authorization) : undefined;
  const read = await verifyJws(token ?? '', { keys, detached: canonicalText(content) });
  if (!read.ok) return { outcome: 'invalid', code: read.code };
  if (content.id !== cartId) return { outcome: 'invalid', code: 'wrong_reference' };
  const orderId = isObject(content.order) ? nonEmptyString(content.order.id) : undefined;
  if (!orderId) return { outcome: 'invalid', code: 'malformed_receipt' };
  return { outcome: 'confirmed', merchantOrderId: orderId, token: token ?? '', content };
}
