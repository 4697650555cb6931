// AP2 for both sides, without I/O: JSON, hashes, signatures, mandates. Parley verifies with the same functions.
export type { JWK } from 'jose';
export { canonicalText, hashJson, hashText, isSameHash, toBase64url } from './ap2/digest.js';
export { attachPayload, type JwsFault, type JwsReading, readJws, verifyJws } from './ap2/jws.js';
export { type SdJwt, type SdJwtFault, type SdJwtReading, splitSdJwt, verifySdJwt } from './ap2/sd-jwt.js';
export { isJsonObject, type JsonObject, type JsonValue, readStrictJson } from './ap2/strict-json.js';
export {
  CHECKOUT_VCT,
  isInTime,
  type MandateFault,
  onlyMandateOf,
  PAYMENT_VCT,
  type References,
  readConfirmedKey,
  referencesOf,
  verifyMandate,
} from './ap2/verify-mandate.js';
export { type PairExpectation, type PairFault, type PairReading, verifyPair } from './ap2/verify-pair.js';
export {
  type PaymentMandateExpectation,
  type PaymentMandateFault,
  type PaymentMandateReading,
  verifyPaymentMandate,
} from './ap2/verify-payment-mandate.js';
