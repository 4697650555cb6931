import type { JWK } from 'jose';
import { hashText } from './digest.js';
import { verifyJws } from './jws.js';
import { isJsonObject, type JsonObject } from './strict-json.js';
import {
  CHECKOUT_VCT,
  isInTime,
  type MandateFault,
  PAYMENT_VCT,
  type VerifiedMandate,
  verifyMandate,
} from './verify-mandate.js';

/** Reason why two mandates of AP2 0.2 do not pay for a checkout, in the order of the checks. */
export type PairFault =
  | MandateFault
  | 'checkout_jwt_invalid'
  | 'checkout_hash_mismatch'
  | 'checkout_superseded'
  | 'transaction_mismatch'
  | 'payee_mismatch'
  | 'currency_mismatch'
  | 'amount_mismatch'
  | 'replayed_mandate';

export interface PairExpectation {
  keys: readonly JWK[];
  /** Keys with which the merchant signs its checkouts. */
  merchantKeys: readonly JWK[];
  /** The required audience of each mandate; null for third-party mandates, which have none. */
  audience: { checkout: string; payment: string } | null;
  /** Hash of the merchant's latest checkout; null if unknown. */
  latestCheckout: string | null;
  now: Date;
  /** Returns true for the id of a mandate that was used before. */
  seen?: (id: string) => boolean | Promise<boolean>;
}

export type PairReading =
  | { ok: true; checkout: JsonObject; checkoutMandate: VerifiedMandate; paymentMandate: VerifiedMandate }
  | { ok: false; code: PairFault };

/** Verifies a closed checkout mandate and its payment mandate, and that both match the merchant's offer. */
export async function verifyPair(
  tokens: { checkout: string; payment: string },
  expected: PairExpectation,
): Promise<PairReading> {
  const { keys, audience, now } = expected;
  const checkoutMandate = await verifyMandate(tokens.checkout, {
    keys,
    vct: CHECKOUT_VCT,
    audience: audience?.checkout ?? null,
    now,
  });
  if (!checkoutMandate.ok) return checkoutMandate;
  const paymentMandate = await verifyMandate(tokens.payment, {
    keys,
    vct: PAYMENT_VCT,
    audience: audience?.payment ?? null,
    now,
  });
  if (!paymentMandate.ok) return paymentMandate;
  const found = await readCheckout(checkoutMandate.mandate, expected);
  if (!found.ok) return found;
  const code = checkPayment(paymentMandate.mandate, { ...found, merchant: audience?.checkout ?? null });
  if (code) return { ok: false, code };
  for (const { id } of [checkoutMandate, paymentMandate]) {
    if (await expected.seen?.(id)) return { ok: false, code: 'replayed_mandate' };
  }
  return { ok: true, checkout: found.checkout, checkoutMandate, paymentMandate };
}

/** Reads the checkout in a mandate: signed by the merchant, not expired, and the latest one offered. */
async function readCheckout(
  { checkout_jwt: jwt, checkout_hash: claimed }: JsonObject,
  { merchantKeys, latestCheckout, now }: PairExpectation,
): Promise<{ ok: true; checkout: JsonObject; hash: string } | { ok: false; code: PairFault }> {
  const read = typeof jwt === 'string' ? await verifyJws(jwt, { keys: merchantKeys }) : null;
  if (typeof jwt !== 'string' || !read?.ok || !isInTime(read.payload, now)) {
    return { ok: false, code: 'checkout_jwt_invalid' };
  }
  const hash = await hashText(jwt);
  if (claimed !== hash) return { ok: false, code: 'checkout_hash_mismatch' };
  if (latestCheckout !== null && latestCheckout !== hash) return { ok: false, code: 'checkout_superseded' };
  return { ok: true, checkout: read.payload, hash };
}

function checkPayment(
  { transaction_id, payee, payment_amount }: JsonObject,
  { checkout, hash, merchant }: { checkout: JsonObject; hash: string; merchant: string | null },
): PairFault | null {
  if (transaction_id !== hash) return 'transaction_mismatch';
  const payeeId = idOf(payee);
  if (payeeId === null || payeeId !== (idOf(checkout.merchant) ?? merchant)) return 'payee_mismatch';
  if (!isJsonObject(payment_amount) || payment_amount.currency !== checkout.currency) return 'currency_mismatch';
  const total = totalOf(checkout);
  return total === null || payment_amount.amount !== total ? 'amount_mismatch' : null;
}

function idOf(party: unknown): string | null {
  return isJsonObject(party) && typeof party.id === 'string' ? party.id : null;
}

/** Returns the single total of a checkout in minor units; null for none or several. */
function totalOf({ totals }: JsonObject): number | null {
  const found = Array.isArray(totals) ? totals.filter((entry) => isJsonObject(entry) && entry.type === 'total') : [];
  const [total] = found;
  return found.length === 1 && isJsonObject(total) && Number.isSafeInteger(total.amount) ? Number(total.amount) : null;
}
