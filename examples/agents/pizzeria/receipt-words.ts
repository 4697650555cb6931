import { decodeJwt } from 'jose';

const RECEIPT_KEY = 'ap2.PaymentReceipt';

/** Returns the reply to Parley's receipt: thanks only if the receipt confirms a payment for an accepted order. */
export function wordOnReceipt(data: object[], isOrderTaken: boolean): string {
  const receipts = data.flatMap((value) => (RECEIPT_KEY in value ? [value[RECEIPT_KEY]] : []));
  const facts = receipts.map(factsOf);
  if (facts.some(({ failed }) => failed))
    return 'Nothing was paid, so nothing is baked. Ask me for a new cart at any time.';
  if (facts.some(({ isRefund }) => isRefund)) return 'Your refund is on its way.';
  return isOrderTaken ? 'Thank you, the payment has arrived.' : 'I have no order that matches that receipt.';
}

/**
 * Extracts the facts of a receipt: an object in AP2 0.1, a JWT in 0.2. The payment id of an order is the order's id,
 * that of a refund the refund's.
 */
function factsOf(receipt: unknown): { failed: boolean; isRefund: boolean } {
  const claims = typeof receipt === 'string' ? readClaims(receipt) : { ...Object(receipt) };
  const status = { ...Object(claims.payment_status) };
  const failed = claims.status === 'Error' || 'error_message' in status || 'failure_message' in status;
  return { failed, isRefund: typeof claims.payment_id === 'string' && !claims.payment_id.startsWith('ord_') };
}

function readClaims(token: string): Record<string, unknown> {
  try {
    return decodeJwt(token);
  } catch {
    return {};
  }
}
