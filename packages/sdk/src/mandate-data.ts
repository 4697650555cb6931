import { isJsonObject, type JsonValue } from './ap2/strict-json.js';

/** The mandates in a part's data; missing ones are null or empty. */
export interface MandateData {
  /** PaymentMandate of AP2 0.1. */
  payment01: JsonValue;
  /** The closed mandates of AP2 0.2. */
  checkout: string;
  payment: string;
}

/** Returns true for the data of a payment part. */
export function isMandateData(data: unknown): boolean {
  const { payment01, checkout, payment } = readMandateData(data);
  return payment01 !== null || checkout !== '' || payment !== '';
}

export function readMandateData(data: unknown): MandateData {
  const part = isJsonObject(data) ? data : {};
  const checkout = part['ap2.mandates.CheckoutMandateSdJwt'] ?? part['ap2.checkout_mandate'];
  const payment = part['ap2.mandates.PaymentMandateSdJwt'];
  return {
    payment01: part['ap2.mandates.PaymentMandate'] ?? null,
    checkout: typeof checkout === 'string' ? checkout : '',
    payment: typeof payment === 'string' ? payment : '',
  };
}
