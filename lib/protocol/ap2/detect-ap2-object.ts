import { isObject, type JsonObject, type JsonValue, nonEmptyString } from '../json';

/** An AP2 object in a data part, not parsed yet. */
export interface Ap2Object {
  kind:
    | 'cart'
    | 'intent'
    | 'payment-mandate'
    | 'receipt'
    | 'method-data'
    | 'address'
    /** The merchant requires an action outside of the chat, such as entering a code from the bank. */
    | 'challenge'
    /** Payment terms of x402, which Parley does not support. */
    | 'x402';
  value: JsonValue;
}

type Kind = Ap2Object['kind'];

const kindsByName: ReadonlyMap<string, Kind> = new Map([
  ['IntentMandate', 'intent'],
  ['CartMandate', 'cart'],
  ['PaymentMandate', 'payment-mandate'],
  ['PaymentMandateSdJwt', 'payment-mandate'],
  ['CheckoutMandateSdJwt', 'payment-mandate'],
  ['PaymentReceipt', 'receipt'],
  ['CheckoutReceipt', 'receipt'],
  ['PaymentMethodData', 'method-data'],
  ['ContactAddress', 'address'],
]);

/** Data-part keys of AP2 0.1, of 0.2's samples and of UCP, in order of precedence. */
const keys: readonly (readonly [string, Kind])[] = [
  ['ap2.mandates.CartMandate', 'cart'],
  ['ap2.checkout', 'cart'],
  ['a2a.ucp.checkout', 'cart'],
  ['ap2.cart', 'cart'],
  ['ap2.mandates.PaymentMandate', 'payment-mandate'],
  ['ap2.mandates.PaymentMandateSdJwt', 'payment-mandate'],
  ['ap2.mandates.CheckoutMandateSdJwt', 'payment-mandate'],
  ['ap2.checkout_mandate', 'payment-mandate'],
  ['checkout_mandate', 'payment-mandate'],
  ['ap2.PaymentReceipt', 'receipt'],
  ['ap2.CheckoutReceipt', 'receipt'],
  ['ap2.mandates.IntentMandate', 'intent'],
  ['payment_request.PaymentMethodData', 'method-data'],
  ['contact_picker.ContactAddress', 'address'],
  ['x402.payment.required', 'x402'],
];

const X402_METHOD = /^https:\/\/(www\.)?x402\.org\b/i;

/**
 * Returns the AP2 object in a data part: under its key, named by `kind` or `type`, or recognized by its members; null
 * for none. A nested data part (`{kind: 'data', data}`) is unwrapped first.
 */
export function detectAp2Object(data: JsonValue): Ap2Object | null {
  if (!isObject(data)) return null;
  const label = nonEmptyString(data.kind) ?? nonEmptyString(data.type);
  if (label === 'data' && isObject(data.data)) return detectAp2Object(data.data);
  for (const [key, kind] of keys) {
    if (data[key] !== undefined) return refine({ kind, value: data[key] });
  }
  if (isObject(data.ap2) && data.ap2.checkout_mandate !== undefined) {
    return { kind: 'payment-mandate', value: data.ap2.checkout_mandate };
  }
  if (data.challenge !== undefined) return { kind: 'challenge', value: data.challenge };
  const named = label ? kindsByName.get(label.slice(label.lastIndexOf('.') + 1)) : undefined;
  if (named) return refine({ kind: named, value: data.data ?? data.value ?? data });
  const bare = kindByMembers(data);
  return bare ? refine({ kind: bare, value: data }) : null;
}

/**
 * Returns the object with its exact kind: a checkout with an order is a receipt, and a cart that only x402 can pay is
 * paid elsewhere.
 */
function refine(found: Ap2Object): Ap2Object {
  const { kind, value } = found;
  if (kind !== 'cart' || !isObject(value)) return found;
  if (isObject(value.order)) return { kind: 'receipt', value };
  return needsX402(value) ? { kind: 'x402', value } : found;
}

function needsX402(cart: JsonObject): boolean {
  const contents = isObject(cart.contents) ? cart.contents : cart;
  const methods = isObject(contents.payment_request) ? contents.payment_request.method_data : undefined;
  if (!Array.isArray(methods) || methods.length === 0) return false;
  return methods.every(
    (method) => isObject(method) && X402_METHOD.test(nonEmptyString(method.supported_methods) ?? ''),
  );
}

function kindByMembers(data: JsonObject): Kind | null {
  const contents = isObject(data.contents) ? data.contents : data;
  if (isObject(contents.payment_request) && nonEmptyString(contents.id)) return 'cart';
  if (Array.isArray(data.line_items) && Array.isArray(data.totals)) return 'cart';
  if (nonEmptyString(data.checkout_jwt)) return 'cart';
  if (isObject(data.payment_mandate_contents)) return 'payment-mandate';
  if (nonEmptyString(data.payment_mandate_id) && isObject(data.payment_status)) return 'receipt';
  if (nonEmptyString(data.natural_language_description) && nonEmptyString(data.intent_expiry)) return 'intent';
  if (Array.isArray(data.accepts) && data.x402Version !== undefined) return 'x402';
  // The free format in Web42's guide: an order with its total.
  const order = nonEmptyString(data.orderId) ?? nonEmptyString(data.order_id);
  return order && data.total !== undefined ? 'receipt' : null;
}
