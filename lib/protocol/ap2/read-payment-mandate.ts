import type { JsonValue } from '../json';
import { type Amount, readAmount } from './money';
import { paymentMandate } from './schema';

/** What a PaymentMandate of AP2 0.1 says about itself; nothing of it is verified, and its tokens are left out. */
export interface PaymentMandateFacts {
  mandateId: string;
  /** The order or, at Web42, the cart it pays. */
  orderId: string;
  payee: string;
  amount: Amount;
  method: string;
  /** As written. */
  timestamp: string | null;
  signed: boolean;
}

/** Null for what is not such a mandate, for example a token in place of the object. */
export function readPaymentMandate(value: JsonValue): PaymentMandateFacts | null {
  const parsed = paymentMandate.safeParse(value);
  if (!parsed.success) return null;
  const { payment_mandate_contents: contents, user_authorization } = parsed.data;
  return {
    mandateId: contents.payment_mandate_id,
    orderId: contents.payment_details_id,
    payee: contents.merchant_agent,
    amount: readAmount(contents.payment_details_total.amount),
    method: contents.payment_response.method_name,
    timestamp: contents.timestamp ?? null,
    signed: Boolean(user_authorization),
  };
}
