import type { JsonObject } from '@parley/agent/ap2';
import type { Money } from './schema-offer';
import { type SignJwt, toAmount } from './write-mandates';

/** The outcome of a payment: captured, refunded or failed. */
export interface ReceiptFacts {
  /** Parley's issuer. */
  issuer: string;
  /** Reference of the mandate, over its whole token. */
  reference: string;
  mandateId: string;
  paymentId: string;
  amount: Money;
  /** The merchant's order number, and the payment processor's payment id. */
  merchantConfirmationId: string | null;
  processorConfirmationId: string;
  /** Set if nothing was paid: a stable code and a text for users. */
  error: { code: string; text: string } | null;
  now: Date;
}

/** PaymentReceipt of AP2 0.2, as a signed JWT. */
export function signPaymentReceipt(facts: ReceiptFacts, sign: SignJwt): Promise<string> {
  const { issuer, reference, paymentId, processorConfirmationId, error, now } = facts;
  const outcome = error
    ? { status: 'Error', error: error.code, error_description: error.text }
    : {
        status: 'Success',
        psp_confirmation_id: processorConfirmationId,
        network_confirmation_id: processorConfirmationId,
      };
  const iat = Math.floor(now.getTime() / 1000);
  return sign('JWT', { ...outcome, iss: issuer, iat, reference, payment_id: paymentId });
}

/** PaymentReceipt of AP2 0.1: an unsigned object. */
export function toPaymentReceipt(facts: ReceiptFacts): JsonObject {
  const { mandateId, paymentId, amount, merchantConfirmationId, processorConfirmationId, error, now } = facts;
  const success = {
    merchant_confirmation_id: merchantConfirmationId ?? paymentId,
    psp_confirmation_id: processorConfirmationId,
  };
  return {
    payment_mandate_id: mandateId,
    timestamp: now.toISOString(),
    payment_id: paymentId,
    amount: toAmount(amount),
    payment_status: error ? { error_message: error.text } : success,
  };
}
