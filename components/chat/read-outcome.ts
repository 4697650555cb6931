import type { Part } from '../../lib/protocol/a2a/core/model';
import { detectAp2Object } from '../../lib/protocol/ap2/detect-ap2-object';
import { isObject, type JsonValue, nonEmptyString } from '../../lib/protocol/json';

/** The subject of a message that Parley sent in the user's name, and its order. */
export interface Outcome {
  kind: 'declined' | 'mandate' | 'receipt';
  orderId: string | null;
}

/** Null for data that is not about a payment. The content is only a hint: the order decides what is shown. */
export function readOutcome(parts: readonly Part[]): Outcome | null {
  for (const part of parts) {
    if (part.kind === 'text' && part.metadata?.['parley.outcome'] === 'declined') {
      return { kind: 'declined', orderId: orderIdOf(part.metadata['parley.order']) };
    }
  }
  const found = parts.map((part) => (part.kind === 'data' ? detectAp2Object(part.data) : null));
  if (found.some((object) => object?.kind !== 'payment-mandate' && object?.kind !== 'receipt')) return null;
  const receipts = found.filter((object) => object?.kind === 'receipt');
  const foundOrderId = found.map((object) => orderIdIn(object?.value ?? null)).find((id) => id !== null) ?? null;
  return { kind: receipts.length > 0 ? 'receipt' : 'mandate', orderId: foundOrderId };
}

/** In a receipt the id of the payment, in a mandate the details of the payment response. */
function orderIdIn(value: JsonValue): string | null {
  if (!isObject(value)) return null;
  const contents = isObject(value.payment_mandate_contents) ? value.payment_mandate_contents : value;
  const response = isObject(contents.payment_response) ? contents.payment_response : {};
  const details = isObject(response.details) ? response.details : {};
  return orderIdOf(value.payment_id) ?? orderIdOf(details.order_id);
}

function orderIdOf(value: JsonValue | undefined): string | null {
  const id = nonEmptyString(value);
  return id?.startsWith('ord_') ? id : null;
}
