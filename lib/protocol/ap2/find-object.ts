import { isObject, type JsonObject, type JsonValue, textOf } from '../json';

/** An AP2 object inside a data part, still unread. */
export interface Ap2Object {
  kind: 'cart' | 'payment-mandate' | 'receipt';
  value: JsonValue;
}

const kindsByName: ReadonlyMap<string, Ap2Object['kind']> = new Map([
  ['CartMandate', 'cart'],
  ['PaymentMandate', 'payment-mandate'],
  ['PaymentMandateSdJwt', 'payment-mandate'],
  ['PaymentReceipt', 'receipt'],
]);

/** Data-part keys of AP2 0.1 (ap2.md §1.2) and the signed mandate of 0.2's samples. */
const keys: readonly (readonly [string, Ap2Object['kind']])[] = [
  ['ap2.mandates.CartMandate', 'cart'],
  ['ap2.mandates.PaymentMandate', 'payment-mandate'],
  ['ap2.mandates.PaymentMandateSdJwt', 'payment-mandate'],
  ['ap2.PaymentReceipt', 'receipt'],
];

/**
 * The AP2 object in the data of a part: under its key, told by `kind` or `type`, or bare and known by its members. A data
 * part that was wrapped once more (`{kind: 'data', data}`) is opened first. Null when there is none.
 */
export function findAp2Object(data: JsonValue): Ap2Object | null {
  if (!isObject(data)) return null;
  const label = textOf(data.kind) ?? textOf(data.type);
  if (label === 'data' && isObject(data.data)) return findAp2Object(data.data);
  for (const [key, kind] of keys) {
    if (data[key] !== undefined) return { kind, value: data[key] };
  }
  const named = label ? kindsByName.get(label.slice(label.lastIndexOf('.') + 1)) : undefined;
  if (named) return { kind: named, value: data.data ?? data.value ?? data };
  const bare = kindByMembers(data);
  return bare ? { kind: bare, value: data } : null;
}

function kindByMembers(data: JsonObject): Ap2Object['kind'] | null {
  const contents = isObject(data.contents) ? data.contents : data;
  if (isObject(contents.payment_request) && textOf(contents.id)) return 'cart';
  if (isObject(data.payment_mandate_contents)) return 'payment-mandate';
  if (textOf(data.payment_mandate_id) && isObject(data.payment_status)) return 'receipt';
  // The free form that Web42's guide shows: an order with its total.
  const order = textOf(data.orderId) ?? textOf(data.order_id);
  return order && data.total !== undefined ? 'receipt' : null;
}
