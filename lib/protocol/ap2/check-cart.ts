import { hashJson, hashText, readStrictJson } from '@parley/agent/ap2';
import { isObject, type JsonValue, nonEmptyString } from '../json';
import { type CartTrust, checkSignature, type SignedPart } from './check-signature';
import { detectAp2Object } from './detect-ap2-object';
import { checkOffer, toOfferView } from './offer';
import { readCart } from './read-cart';
import type { CheckView, OfferView } from './schema-offer';

export interface CheckedCart {
  /** C1 to C13, up to the first failed check. */
  checks: CheckView[];
  /** Code of the failed check; null if all passed. */
  code: string | null;
  /** Null if the cart is unreadable or one of its amounts is not exact. */
  offer: OfferView | null;
  /** SHA-256 of the content that the merchant signs, base64url. For an unreadable cart, of the text itself. */
  cartHash: string;
  /** The issuer of a valid signature, otherwise null. `jti` is also null for UCP, whose signatures have none. */
  issuer: string | null;
  jti: string | null;
  /** The merchant's JWT of the checkout for checkout mandates of AP2 0.2; null for carts of 0.1. */
  checkoutJwt: string | null;
}

/**
 * Runs checks C1 to C13 (docs/payments.md) on the text of a data part. Has no side effects. The caller must check that
 * the cart is new and does not belong to another order (C14).
 */
export async function checkCart(text: string, trust: CartTrust): Promise<CheckedCart> {
  const data = readStrictJson(text);
  const value = data === undefined ? undefined : (detectAp2Object(data)?.value ?? data);
  const reading = value === undefined ? undefined : readCart(value);
  if (value === undefined || !reading?.ok) {
    const faults = reading?.ok === false ? reading.faults : ['it is not unambiguous JSON'];
    const check = { code: 'malformed_cart', ok: false, text: `The cart could not be read: ${faults.join('; ')}.` };
    return { ...unsigned, checks: [check], code: check.code, offer: null, cartHash: await hashText(text) };
  }
  const signed = signedPartOf(value, reading.offer.dialect);
  const facts = { offer: toOfferView(reading.offer), cartHash: await hashOf(signed) };
  const checks: CheckView[] = [{ code: 'malformed_cart', ok: true, text: 'Cart readable' }];
  const signature = await checkSignature(signed, { trust, checks, cartHash: facts.cartHash });
  if (!signature) return { ...unsigned, ...facts, checks, code: checks.at(-1)?.code ?? null };
  for (const check of checkOffer(reading.offer, trust.now.getTime())) {
    checks.push(check);
    if (!check.ok) break;
  }
  const last = checks.at(-1);
  return { ...signature, ...facts, checks, code: last && !last.ok ? last.code : null };
}

const unsigned = { issuer: null, jti: null, checkoutJwt: null };

function signedPartOf(value: JsonValue, dialect: OfferView['dialect']): SignedPart {
  const cart = isObject(value) ? value : {};
  if (dialect === 'ucp') {
    const { ap2, ...contents } = cart;
    return { kind: 'detached', token: (isObject(ap2) && nonEmptyString(ap2.merchant_authorization)) || null, contents };
  }
  if (dialect === 'ap2-0.2') {
    const claimedHash = nonEmptyString(cart.checkout_hash) ?? null;
    return {
      kind: 'jwt',
      token: nonEmptyString(cart.checkout_jwt) ?? null,
      claimedHash,
      claimedTotal: cart.amount_cents,
    };
  }
  const { merchant_authorization, merchant_signature, ...flat } = cart;
  const token = nonEmptyString(merchant_authorization) ?? nonEmptyString(merchant_signature) ?? null;
  return { kind: 'hash', token, contents: cart.contents ?? flat };
}

function hashOf(signed: SignedPart): Promise<string> {
  return signed.kind === 'jwt' ? hashText(signed.token ?? '') : hashJson(signed.contents);
}
