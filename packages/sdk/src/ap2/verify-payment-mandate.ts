import type { JWK } from 'jose';
import { canonicalText, hashJson, hashText } from './digest.js';
import { type JwsFault, verifyJws } from './jws.js';
import { splitSdJwt, verifySdJwt } from './sd-jwt.js';
import { isJsonObject, type JsonObject, type JsonValue } from './strict-json.js';
import { isInTime, isSecond, type References, readConfirmedKey, referencesOf } from './verify-mandate.js';

/** Reason why a PaymentMandate of AP2 0.1 does not pay for a cart, in the order of the checks. */
export type PaymentMandateFault =
  | 'malformed_mandate'
  | 'malformed_sd_jwt'
  | JwsFault
  | 'unreferenced_disclosure'
  | 'duplicate_disclosure'
  | 'wrong_audience'
  | 'mandate_expired'
  | 'transaction_mismatch'
  | 'payee_mismatch'
  | 'currency_mismatch'
  | 'amount_mismatch'
  | 'replayed_mandate';

export interface PaymentMandateExpectation {
  /** Keys of the mandate's signer. */
  keys: readonly JWK[];
  /** The required audience: the merchant's issuer. */
  audience: string;
  /** The signed `contents` of the latest CartMandate. */
  contents: JsonObject;
  /** The merchant's slug, which the mandate must contain; null if unknown. */
  merchantAgent: string | null;
  now: Date;
  /** Returns true for the id of a mandate that was used before. */
  seen?: (id: string) => boolean | Promise<boolean>;
}

export type PaymentMandateReading =
  | { ok: true; contents: JsonObject; id: string; reference: References }
  | { ok: false; code: PaymentMandateFault };

/**
 * Verifies a PaymentMandate of AP2 0.1 with its `user_authorization`: an SD-JWT whose key binding signs the hashes of
 * the cart and of the mandate. Then checks that it pays exactly this cart.
 */
export async function verifyPaymentMandate(
  value: JsonValue,
  expected: PaymentMandateExpectation,
): Promise<PaymentMandateReading> {
  const contents = isJsonObject(value) ? value.payment_mandate_contents : undefined;
  const token = isJsonObject(value) ? value.user_authorization : undefined;
  if (!isJsonObject(contents) || typeof token !== 'string') return { ok: false, code: 'malformed_mandate' };
  const authorization = await verifyAuthorization(token, expected);
  if (!authorization.ok) return authorization;
  const cartHash = await hashJson(expected.contents);
  const wanted = [cartHash, await hashJson(contents)];
  if (canonicalText(authorization.transaction) !== canonicalText(wanted)) {
    return { ok: false, code: 'transaction_mismatch' };
  }
  const code = checkContents(contents, { ...expected, cartHash });
  if (code) return { ok: false, code };
  if (await expected.seen?.(authorization.id)) return { ok: false, code: 'replayed_mandate' };
  return { ok: true, contents, id: authorization.id, reference: await referencesOf(token) };
}

async function verifyAuthorization(
  token: string,
  { keys, audience, now }: PaymentMandateExpectation,
): Promise<{ ok: true; id: string; transaction: JsonValue } | { ok: false; code: PaymentMandateFault }> {
  const parts = splitSdJwt(token);
  if (!parts || parts.keyBinding === null) return { ok: false, code: 'malformed_sd_jwt' };
  const issued = await verifySdJwt(parts, { keys });
  if (!issued.ok) return { ok: false, code: issued.code };
  const { cnf, jti, aud, exp } = issued.claims;
  const key = readConfirmedKey(cnf);
  if (!key || typeof jti !== 'string') return { ok: false, code: 'malformed_sd_jwt' };
  const bound = await verifyJws(parts.keyBinding, { key });
  if (!bound.ok) return { ok: false, code: bound.code };
  if (bound.header.typ !== 'kb+jwt') return { ok: false, code: 'malformed_sd_jwt' };
  if (bound.payload.sd_hash !== (await hashText(parts.signed))) return { ok: false, code: 'bad_signature' };
  if (aud !== audience || bound.payload.aud !== audience) return { ok: false, code: 'wrong_audience' };
  const inTime = isSecond(exp) && isInTime(issued.claims, now) && isInTime(bound.payload, now);
  if (!inTime) return { ok: false, code: 'mandate_expired' };
  return { ok: true, id: jti, transaction: bound.payload.transaction_data ?? null };
}

function checkContents(
  mandate: JsonObject,
  { contents, merchantAgent, cartHash }: PaymentMandateExpectation & { cartHash: string },
): PaymentMandateFault | null {
  const request = objectOf(contents.payment_request);
  const details = objectOf(request.details);
  const response = objectOf(mandate.payment_response);
  if (mandate.payment_details_id !== (details.id ?? contents.id)) return 'transaction_mismatch';
  if (objectOf(response.details).cart_hash !== cartHash) return 'transaction_mismatch';
  if (merchantAgent !== null && mandate.merchant_agent !== merchantAgent) return 'payee_mismatch';
  const paid = objectOf(objectOf(mandate.payment_details_total).amount);
  const total = objectOf(objectOf(details.total).amount);
  if (paid.currency === undefined || paid.currency !== total.currency) return 'currency_mismatch';
  return paid.value === undefined || Number(paid.value) !== Number(total.value) ? 'amount_mismatch' : null;
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
